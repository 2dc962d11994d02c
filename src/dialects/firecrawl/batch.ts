import { BadRequest } from './bad-request.ts';
import type { DialectCall } from './dialect-call.ts';
import { newDraft } from './draft.ts';
import { JOB_MEMBERS, type JobDraft, jobOf } from './job-members.ts';
import {
  booleanAt,
  type Json,
  listAt,
  type Members,
  objectAt,
  readMembers,
  refused,
  stored,
} from './members.ts';
import { targetAt } from './scrape.ts';
import { readScrapeOptions } from './scrape-options.ts';
import { settle } from './settle.ts';

export interface BatchDraft extends JobDraft {
  urls: readonly unknown[];
  skipsInvalid: boolean;
}

/** The members of `POST /v2/batch/scrape` besides those of a scrape. */
export const BATCH_MEMBERS: Members<BatchDraft> = {
  urls: stored('at most 100,000', 'urls', listAt),
  ignoreInvalidURLs: stored('default `true`; they are listed in `invalidURLs`', 'skipsInvalid', booleanAt),
  appendToId: refused('a batch cannot be extended; start another one.'),
  ...JOB_MEMBERS,
};

/** `POST /v2/batch/scrape`. */
export async function startBatch({ body, caller, deps, idempotency }: DialectCall): Promise<Json> {
  const members = Object.entries(objectAt(body, 'The request'));
  const own = Object.fromEntries(members.filter(([name]) => Object.hasOwn(BATCH_MEMBERS, name)));
  const options = Object.fromEntries(members.filter(([name]) => !Object.hasOwn(BATCH_MEMBERS, name)));
  const batch: BatchDraft = { job: {}, urls: [], skipsInvalid: true };
  const draft = newDraft();
  readMembers(BATCH_MEMBERS, own, batch, '');
  readScrapeOptions(options, draft, '');
  const { valid, invalid } = checkedUrls(batch);
  await settle(draft, { caller, hasModel: deps.hasModel });
  const memory = { url: null, options: null };
  const job = jobOf(batch, draft, { name: 'defaults', hasModel: deps.hasModel }, memory);
  const requests = valid.map((url) => ({ url }));
  const { id } = await caller.post('/api/v1/batches/', { ...job, requests }, idempotency);
  const url = `${deps.baseUrl()}/v2/batch/scrape/${id}`;
  return { success: true, id, url, ...(batch.skipsInvalid ? { invalidURLs: invalid } : {}) };
}

/** @throws BadRequest if there is nothing to fetch, or invalid URLs are not to be skipped */
export function checkedUrls({ urls, skipsInvalid }: BatchDraft) {
  const valid: string[] = [];
  const invalid: string[] = [];
  for (const [index, url] of urls.entries())
    try {
      valid.push(targetAt(url, `urls[${index}]`));
    } catch (error) {
      if (!(error instanceof BadRequest) || !skipsInvalid || typeof url !== 'string') throw error;
      invalid.push(url);
    }
  if (valid.length === 0) throw new BadRequest('urls must have at least one valid URL.');
  return { valid, invalid };
}
