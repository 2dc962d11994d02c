import type { Principal } from '../domain/account.ts';
import type { Prices } from '../domain/cost.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Page } from '../domain/fetch-result.ts';
import type { Job } from '../domain/job.ts';
import { type NewRecord, pictureKey, picturesOf } from '../domain/record.ts';
import type { Scrape } from '../domain/scrape.ts';
import type { ScraperName } from '../domain/scrapers.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Proxies } from '../ports/proxies.ts';
import type { StorageHealth } from '../ports/store.ts';
import { type BlobStore, type RecordStore, StorageError, withStorageTimeout } from '../ports/store.ts';
import { hidesIdentity, type PriceOf, type RoutingContext } from '../router/exclusion.ts';
import { type PlanResult, plan } from '../router/plan.ts';
import { ClearanceCache } from './clearance-cache.ts';
import { RequestCoalescer } from './request-coalescer.ts';
import { requestProblems } from './request-problems.ts';
import { type RunDeps, type RunRequest, runScrape, scrapeWithoutAttempt } from './run.ts';

/** How a scrape is written down. `wire` does it; the pipeline only needs to know that it can be done. */
interface ScrapeSerializer {
  /** The scrape response without `content`, as JSON. */
  answer(scrape: Scrape): string;
  /** What is kept of it, by `router.retain`. */
  record(scrape: Scrape, principal: Principal, answerJson: string): NewRecord;
}

interface PipelineDeps extends Omit<RunDeps, 'coalescer' | 'clearances'> {
  readonly records: RecordStore;
  readonly blobs: BlobStore;
  readonly health: Pick<StorageHealth, 'trouble' | 'failed'>;
  readonly render: ScrapeSerializer;
  readonly metrics: Pick<Metrics, 'recordStored' | 'storeFailed'>;
  /** The `User-Agent` of `auto` where the operator wants it to say who it is; null: it looks like a browser. */
  readonly autoAgent: string | null;
}

/** Told by `GET /api/v1/scrapers/` and in refusals. */
const NOT_AVAILABLE = 'not available in this version';
const STORAGE_UNAVAILABLE = 'Records cannot be stored now, so nothing was fetched.';

export interface AnsweredScrape {
  readonly scrape: Scrape;
  /** The scrape response without `content`. */
  readonly answerJson: string;
}

interface StoringOptions {
  readonly principal: Principal;
  /**
   * Called while the record is being stored: what is to be answered when that succeeds, so that it can be made ready
   * meanwhile. What `run` settles with counts: with another scrape when nothing was stored.
   */
  readonly whileStoring?: (answered: AnsweredScrape) => void;
}

export interface Pipeline {
  /** Why a scraper is not to be had here; null when it is. */
  unavailable(scraper: ScraperName): string | null;
  /** Whether `auto` may take it here. */
  isAvailableToAuto(scraper: ScraperName): boolean;
  /** Finds out which scrapers there are, for `unavailable`, or what they can do of a job, for `plan`. null: it is known. */
  discover(job: Job | null): Promise<unknown> | null;
  /** What is wrong with the meaning of the request that only the engines can tell; a 400. */
  problems(job: Job): readonly Failure[];
  /** The way it would go, or why there is none; a 422. */
  plan(job: Job): PlanResult;
  /** Goes it, and stores the record before it settles. Settles always; also when the caller hangs up. */
  run(ask: RunRequest & StoringOptions): Promise<AnsweredScrape>;
}

export function createPipeline(parts: PipelineDeps): Pipeline {
  const facts: RoutingContext = {
    unavailable(name) {
      const scraper = parts.scrapers.get(name);
      return scraper === undefined ? NOT_AVAILABLE : (scraper.unavailable?.() ?? null);
    },
    refusal: (name, job) => parts.scrapers.get(name)?.refusal?.(job) ?? null,
    proxyRefusal: (type, job) => parts.proxies.refusal(type, job.proxy),
    ...(parts.prices === null ? {} : { price: priceOf(parts.prices, parts.proxies) }),
    autoIsHonest: parts.autoAgent !== null,
  };
  const runParts = { ...parts, coalescer: new RequestCoalescer(), clearances: new ClearanceCache() };
  async function putPictures(id: string, page: Page): Promise<void> {
    for (const [number, picture] of picturesOf(page).entries())
      if (picture !== null) await withStorageTimeout(parts.blobs.put(pictureKey(id, number), picture.bytes));
  }

  return {
    unavailable: facts.unavailable,
    isAvailableToAuto: (scraper) => facts.unavailable(scraper) === null && !hidesIdentity(scraper, facts),
    discover(job) {
      let looks: Promise<void>[] | null = null;
      for (const scraper of parts.scrapers.values()) {
        const look = scraper.discover?.(job) ?? null;
        if (look !== null) looks = [...(looks ?? []), look];
      }
      return looks === null ? null : Promise.all(looks);
    },
    problems: requestProblems,
    plan: (job) => plan(job, facts, parts.experience, parts.clock.now() / 1000),
    async run(ask) {
      if (parts.health.trouble() !== null) {
        const refused = scrapeWithoutAttempt(parts, ask, failure('service.storage', STORAGE_UNAVAILABLE));
        return { scrape: refused, answerJson: parts.render.answer(refused) };
      }
      const job = withAutoIdentity(ask.job, parts.autoAgent);
      const scrape = await runScrape(runParts, job === ask.job ? ask : { ...ask, job });
      const answerJson = parts.render.answer(scrape);
      const began = parts.clock.monotonic();
      try {
        const record = parts.render.record(scrape, ask.principal, answerJson);
        if (record.contentInBlob)
          await withStorageTimeout(parts.blobs.put(record.id, scrape.delivered!.content!.bytes));
        if (record.pictures.length > 0) await putPictures(record.id, scrape.delivered!.page);
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
        const lost = withoutRecord(scrape);
        return { scrape: lost, answerJson: parts.render.answer(lost) };
      }
    },
  };
}

/** With the `User-Agent` of `auto`, unless the caller named one, or a device, which has its own. */
function withAutoIdentity(job: Job, autoAgent: string | null): Job {
  const { scraper, headers, options } = job;
  if (autoAgent === null || scraper !== 'auto' || options.userAgent !== null || options.device !== null)
    return job;
  if (headers.some(([name]) => name.toLowerCase() === 'user-agent')) return job;
  return { ...job, options: { ...options, userAgent: autoAgent } };
}

function priceOf({ scrapers, direct }: Prices, proxies: Proxies): PriceOf {
  return ({ scraper, proxyType }, job) => {
    const own = scrapers[scraper];
    const of = proxies.price(proxyType, job.proxy);
    if (own === undefined || of === null) return null;
    const exits = of === 'direct' ? [direct] : job.proxy.bypass.length > 0 ? [of, direct] : [of];
    const perRequest = Math.max(...exits.map((exit) => exit.perRequest));
    return { fixed: own + perRequest, byBytes: exits.some(({ perGb }) => perGb > 0) };
  };
}

/** Never a success that is not stored: no id, no content; what reached the target is still told. */
function withoutRecord(scrape: Scrape): Scrape {
  const cause = failure('service.storage', 'The record of the scrape could not be stored.');
  const { delivered } = scrape;
  return {
    ...scrape,
    id: null,
    httpStatus: 503,
    outcome: 'failed',
    delivered:
      delivered === null
        ? null
        : { ...delivered, page: withoutExtras(delivered.page), content: null, data: [] },
    errors: [cause, ...scrape.errors],
  };
}

function withoutExtras({
  screenshot: _screenshot,
  network: _network,
  actions: _actions,
  ...page
}: Page): Page {
  return page;
}
