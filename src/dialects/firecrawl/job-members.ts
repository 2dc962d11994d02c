import { isObject } from '../../domain/json-schema.ts';
import type { WebhookEvent } from '../../domain/webhooks.ts';
import { BadRequest } from './bad-request.ts';
import { requestOf, type ScrapeDraft, type WantedParts, wantedOf } from './draft.ts';
import {
  choiceAt,
  listAt,
  type Members,
  numberAt,
  objectAt,
  readMembers,
  refused,
  stored,
  supported,
  textAt,
} from './members.ts';

/** A job in the making: the members of our request. */
export interface JobDraft {
  readonly job: Record<string, unknown>;
}

/** Their events by ours. */
const EVENTS: Readonly<Record<string, readonly WebhookEvent[]>> = {
  started: ['started'],
  page: ['page', 'item_failed'],
  completed: ['done'],
  failed: ['failed', 'cancelled'],
};
const EVENT_NAMES = Object.keys(EVENTS);

const WEBHOOK: Members<Record<string, unknown>> = {
  url: stored('the receiver', 'url', textAt),
  headers: stored('sent with each message', 'headers', objectAt),
  metadata: stored('sent with each message', 'metadata', objectAt),
  events: supported('`started`, `page`, `completed`, `failed`; default all', (value, webhook, at) => {
    const names = listAt(value, at).map((name, index) => choiceAt(name, `${at}[${index}]`, EVENT_NAMES));
    webhook.events = [...new Set(names)].flatMap((name) => EVENTS[name]!);
  }),
};

/** The members that crawls and batches have in common. */
export const JOB_MEMBERS: Members<JobDraft> = {
  webhook: supported('in the form of Firecrawl, with its signature', (value, { job }, at) => {
    const webhook: Record<string, unknown> = {};
    readMembers(WEBHOOK, isObject(value) ? value : { url: value }, webhook, at);
    if (webhook.url === undefined) throw new BadRequest(`${at} must have a url.`);
    const events = EVENT_NAMES.flatMap((name) => EVENTS[name]!);
    job.webhook = { events, ...webhook, format: 'firecrawl' };
  }),
  maxConcurrency: supported('pages at the same time', (value, { job }, at) => {
    job.concurrency = numberAt(value, at);
  }),
  zeroDataRetention: refused('results are kept until they are fetched.', [false]),
};

/** What a job of ours remembers of the request that made it. */
export interface JobMemory {
  readonly url: string | null;
  readonly wanted: WantedParts;
  /** Of a crawl, as in the request, but without what may have secrets; null: too long to be kept, or no crawl. */
  readonly options: Readonly<Record<string, unknown>> | null;
  /** Of `POST /v2/extract`. */
  readonly extract?: { readonly showsSources: boolean };
}

const MAX_OPTIONS_CHARS = 8_192;

/**
 * The members of our job, and `members` of a scrape request under `name`.
 * @param hasModel whether there is a language model that prompts can be sent to
 * @throws BadRequest if the scrape cannot be an item of a job
 */
export function jobOf(
  { job }: JobDraft,
  scrape: ScrapeDraft,
  options: { readonly name: 'defaults' | 'request'; readonly hasModel: boolean },
  memory: Omit<JobMemory, 'wanted'>,
): Record<string, unknown> {
  if (scrape.notInJobs !== null) throw new BadRequest(scrape.notInJobs);
  if (scrape.prompt !== null && !options.hasModel) throw new BadRequest(noModel(scrape.prompt));
  const isShort = JSON.stringify(memory.options).length <= MAX_OPTIONS_CHARS;
  const kept: JobMemory = { ...memory, options: isShort ? memory.options : null, wanted: wantedOf(scrape) };
  // Firecrawl does not try again after minutes, and its clients wait for the end.
  return { retries: 0, ...job, [options.name]: requestOf(scrape), metadata: { firecrawl: kept } };
}

export const noModel = (at: string): string =>
  `${at} needs a language model, and this service has none. The operator sets SLUICE_LLM_URL.`;
