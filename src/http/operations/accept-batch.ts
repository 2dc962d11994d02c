import type { Principal } from '../../domain/account.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import type { NewItem } from '../../domain/jobs.ts';
import { isObject } from '../../domain/json-schema.ts';
import { type ExtractTemplate, requestedTemplate } from '../../domain/template.ts';
import { batchReader } from '../../jobs/batch-items.ts';
import { type OpenedJob, openJob } from '../../jobs/job-service.ts';
import { itemOfRequest } from '../../jobs/request-job.ts';
import { loadTemplate } from '../../pipeline/extract-template.ts';
import type { BatchSettings } from '../../wire/jobs/batch-request.ts';
import { MAX_BATCH_REQUESTS } from '../../wire/jobs/batch-request.ts';
import { withPrefix } from '../../wire/jobs/item-request.ts';
import { readJobMembers } from '../../wire/jobs/job-members.ts';
import { maskedRequestJson } from '../../wire/request/masked-request.ts';
import { MAX_PROBLEMS } from '../../wire/schema/problems.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { Refusal } from '../core/refusal.ts';
import { checkChannels, jobNotify } from './notify.ts';

/** Limits per host for batches, whose requests the caller has chosen one by one. */
const PER_HOST = 8;
/** Items that are stored together while the rest of the batch is still read. */
const PART_ITEMS = 1_000;

/** A request of a batch, not checked yet. */
export interface BatchEntry {
  readonly value: unknown;
  /** Why it could not be read; null: it could. */
  readonly failure: Failure | null;
  /** Number of its line; absent: the batch has no lines. */
  readonly line?: number;
}

export interface AcceptedBatch {
  readonly id: string;
  /** The first problems of requests that were left out. */
  readonly problems: readonly Failure[];
  /** Number of requests that were left out. */
  readonly invalid: number;
}

/**
 * Reads and checks the requests of a batch, and starts it. Nothing runs before all are checked. If one is refused, or if
 * reading fails, nothing is left.
 * @param pointer of the settings in the body
 * @throws Refusal
 */
export async function acceptBatch(
  deps: EndpointDeps,
  principal: Principal,
  settings: BatchSettings,
  pointer: string,
  entries: AsyncIterable<BatchEntry>,
): Promise<AcceptedBatch> {
  const { defaults = {}, invalid = 'refuse', ...members } = settings;
  const found: Failure[] = [];
  const options = { priced: deps.prices !== null, retentionMs: deps.retentionMs };
  const { notified, ...jobMembers } = readJobMembers(members, options, found);
  if (found.length === 0) await checkChannels(deps, notified.channels, principal.userId, principal, pointer);
  const spent = await deps.accounts.budgetLeft(principal);
  if (spent !== null) throw new Refusal([spent]);
  const isSent = await deps.webhooks.getsScrapes(principal.userId, 'job', jobMembers.webhook);
  const checker = new RequestChecker(deps, principal.userId, defaults, `${pointer}/defaults`, isSent);
  checker.add(found.map((problem) => withPrefix(problem, pointer)));
  const mustBeValid = invalid === 'refuse' || found.length > 0;
  const open = async (): Promise<OpenedJob> => {
    const opened = await openJob({ ...deps, jobs: deps.store.jobs, engine: deps.jobEngine }, principal, {
      ...jobMembers,
      kind: 'batch',
      perHost: PER_HOST,
      delayMs: 0,
      maxVisits: null,
      notify: jobNotify('job', jobMembers.name, notified),
      request: maskedRequestJson({ ...members, defaults }),
      members: defaults,
    });
    if (isFailure(opened)) throw new Refusal([withPrefix(opened, pointer)]);
    return opened;
  };
  let job: OpenedJob | null = null;
  let started = false;
  try {
    let part: NewItem[] = [];
    for await (const entry of entries) {
      const item = await checker.check(entry);
      if (item === null || (mustBeValid && checker.errors > 0)) continue;
      part.push(item);
      if (part.length < PART_ITEMS) continue;
      job ??= await open();
      await job.add(part);
      part = [];
    }
    if (checker.requests === 0) checker.add([NO_REQUESTS]);
    if (checker.errors > 0 && (mustBeValid || checker.invalid === checker.requests)) throw checker.refusal();
    job ??= await open();
    await job.add(part);
    const limit = await job.start(checker.templates);
    if (limit !== null) throw new Refusal([limit]);
    started = true;
    return { id: job.id, problems: checker.problems, invalid: checker.invalid };
  } finally {
    if (!started) await job?.discard();
  }
}

const NO_REQUESTS = failure('request.validation', '`/requests` must have at least one request.', {
  pointer: '/requests',
});

/** A problem of the request, not of the defaults, has the number of its line, if there are lines. */
const atLine = (problem: Failure, pointer: string, line: number | undefined): Failure =>
  line === undefined || problem.pointer?.startsWith(pointer) === false ? problem : { ...problem, line };

/** Checks requests one by one, and keeps the first problems. */
class RequestChecker {
  /** The templates that requests name. */
  readonly templates: Record<string, ExtractTemplate> = {};
  readonly problems: Failure[] = [];
  requests = 0;
  invalid = 0;
  errors = 0;
  readonly #deps: EndpointDeps;
  readonly #userId: string;
  readonly #defaults: Readonly<Record<string, unknown>>;
  readonly #read: ReturnType<typeof batchReader>;

  /** @param pointer of the defaults @param isSent see `readItemRequest` */
  constructor(
    deps: EndpointDeps,
    userId: string,
    defaults: Readonly<Record<string, unknown>>,
    pointer: string,
    isSent: boolean,
  ) {
    this.#deps = deps;
    this.#userId = userId;
    this.#defaults = defaults;
    const { pipeline } = deps;
    this.#read = batchReader({ defaults, pointer, templates: this.templates, isSent, pipeline });
  }

  /** @returns null: the request is not valid @throws Refusal if there are too many requests */
  async check({ value, failure: unread, line }: BatchEntry): Promise<NewItem | null> {
    const pointer = `/requests/${this.requests++}`;
    if (this.requests > MAX_BATCH_REQUESTS)
      throw Refusal.of('request.too_large', `A batch may have at most ${MAX_BATCH_REQUESTS} requests.`);
    const found: Failure[] = unread === null ? [] : [withPrefix(unread, pointer)];
    const item = unread === null ? await this.#itemOf(value, pointer, found) : null;
    if (item !== null) return item;
    this.invalid++;
    this.add(found.map((problem) => atLine(problem, pointer, line)));
    return null;
  }

  add(found: readonly Failure[]): void {
    this.errors += found.length;
    this.problems.push(...found.slice(0, Math.max(0, MAX_PROBLEMS - this.problems.length)));
  }

  refusal(): Refusal {
    return new Refusal(this.problems, { errorsTotal: this.errors });
  }

  async #itemOf(value: unknown, pointer: string, found: Failure[]): Promise<NewItem | null> {
    await this.#loadTemplate(value);
    const request = this.#read(value, pointer, found);
    return request && itemOfRequest(request, this.#userId, this.#deps.sealer);
  }

  async #loadTemplate(value: unknown): Promise<void> {
    const name = isObject(value) ? requestedTemplate({ ...this.#defaults, ...value }) : null;
    if (name === null || Object.hasOwn(this.templates, name)) return;
    const template = await loadTemplate(this.#deps.store.templates, this.#userId, name, '');
    if (!isFailure(template)) this.templates[name] = template;
  }
}
