import { jsonPathProblem, selectorProblem } from '../content/accept.ts';
import type { ExtractRule } from '../domain/extract-rule.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Job, ScraperName } from '../domain/job.ts';
import type { Principal } from '../domain/principal.ts';
import type { Scrape } from '../domain/scrape.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Render } from '../ports/render.ts';
import { StorageError } from '../ports/storage-error.ts';
import type { RecordStore } from '../ports/store.ts';
import { type Planned, plan, type RouteFacts } from '../router/plan.ts';
import type { AttemptParts } from './attempt.ts';
import { inTime } from './in-time.ts';
import { type RunAsk, run, untried } from './run.ts';
import type { StorageHealth } from './storage-health.ts';

export interface PipelineParts extends AttemptParts {
  readonly records: RecordStore;
  readonly blobs: BlobStore;
  readonly health: Pick<StorageHealth, 'trouble' | 'failed'>;
  readonly render: Render;
  readonly metrics: Pick<Metrics, 'recordStored' | 'storeFailed'>;
}

/** Told by `GET /api/v1/scrapers/` and in refusals. */
const NOT_BUILT = 'not available in this version';
const NO_PROBLEMS: readonly Failure[] = Object.freeze([]);
/** One answer lists (contract §8). */
const MOST_PROBLEMS = 10;
const NOT_NOW = 'Nothing can be stored at the moment, so the target was not asked.';

export interface Answered {
  readonly scrape: Scrape;
  /** The answer as JSON text, without `content`. */
  readonly answerJson: string;
}

export interface StoredAsk {
  readonly principal: Principal;
  /**
   * Called while the record is being stored: what is to be answered when that succeeds, so that it can be made ready
   * meanwhile. What `run` settles with counts: with another scrape when nothing was stored.
   */
  readonly whileStoring?: (answered: Answered) => void;
}

export interface Pipeline {
  /** Why a scraper is not to be had here; null when it is. */
  unavailable(scraper: ScraperName): string | null;
  /** What is wrong with the meaning of the request that only the engines can tell; a 400. */
  problems(job: Job): readonly Failure[];
  /** The way it would go, or why there is none; a 422. */
  plan(job: Job): Planned;
  /** Goes it, and stores the record before it settles. Settles always; also when the caller hangs up. */
  run(ask: RunAsk & StoredAsk): Promise<Answered>;
}

export function createPipeline(parts: PipelineParts): Pipeline {
  const facts: RouteFacts = {
    unavailable: (name) => (parts.scrapers.has(name) ? null : NOT_BUILT),
    proxyRefusal: (type) => parts.proxies.refusal(type),
  };
  return {
    unavailable: facts.unavailable,
    problems: problemsOf,
    plan: (job) => plan(job, facts),
    async run(ask) {
      if (parts.health.trouble() !== null) {
        const refused = untried(parts, ask, failure('service.storage', NOT_NOW));
        return { scrape: refused, answerJson: parts.render.answer(refused) };
      }
      const scrape = await run(parts, ask);
      const answerJson = parts.render.answer(scrape);
      const began = parts.clock.monotonic();
      try {
        const record = parts.render.record(scrape, ask.principal, answerJson);
        if (record.contentInBlob) await inTime(parts.blobs.put(record.id, scrape.delivered!.content!.bytes));
        const stored = parts.records.put(record);
        const answered = { scrape, answerJson };
        try {
          ask.whileStoring?.(answered);
        } finally {
          await stored;
        }
        parts.metrics.recordStored(parts.clock.monotonic() - began);
        return answered;
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        parts.metrics.storeFailed();
        parts.health.failed(error);
        const lost = unstored(scrape);
        return { scrape: lost, answerJson: parts.render.answer(lost) };
      }
    },
  };
}

type Check = (pointer: string, value: string | null, problem: (text: string) => string | null) => void;

function checkSelectors(rules: readonly ExtractRule[], check: Check): void {
  for (const { pointer, selector, output } of rules) {
    check(pointer, selector, selectorProblem);
    if (output.kind === 'rules') checkSelectors(output.rules, check);
  }
}

function problemsOf(job: Job): readonly Failure[] {
  const { accept } = job.router;
  const { extract } = job.options;
  if (accept === null && extract === null) return NO_PROBLEMS;
  const problems: Failure[] = [];
  const check: Check = (pointer, value, problem) => {
    const message = value === null ? null : problem(value);
    if (message !== null) problems.push(failure('request.validation', message, { pointer }));
  };
  if (extract !== null) checkSelectors(extract, check);
  if (accept !== null) {
    check('/router/accept/selector', accept.selector, selectorProblem);
    check('/router/accept/json_path', accept.jsonPath, jsonPathProblem);
  }
  return problems.slice(0, MOST_PROBLEMS);
}

/** Never a success that is not stored: no id, no content; what reached the target is still told. */
function unstored(scrape: Scrape): Scrape {
  const cause = failure('service.storage', 'The record of the scrape could not be stored.');
  const { delivered } = scrape;
  return {
    ...scrape,
    id: null,
    httpStatus: 503,
    outcome: 'failed',
    delivered: delivered === null ? null : { ...delivered, content: null, data: [] },
    errors: [cause, ...scrape.errors],
  };
}
