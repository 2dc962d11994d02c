import type { MemoryReservation } from '../base/memory-budget.ts';
import type { MicroUnits } from '../base/numbers.ts';
import { turnFor } from '../base/turns.ts';
import type { Principal } from '../domain/account.ts';
import type { Prices } from '../domain/cost.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Page } from '../domain/fetch-result.ts';
import type { CompareOptions } from '../domain/monitors.ts';
import { DEFAULT_PROXY_OPTIONS, type ProxyOptions } from '../domain/proxy.ts';
import type { ReadingOptions } from '../domain/reading.ts';
import type { NewRecord } from '../domain/record.ts';
import type { Scrape, Step } from '../domain/scrape.ts';
import { type BuiltInScraper, isVendor, SCRAPER_NAMES, type ScraperName } from '../domain/scrapers.ts';
import type { Sealer } from '../domain/sealing.ts';
import { POOLED_TYPES, type ProxyType, type Task } from '../domain/task.ts';
import { isTestHost } from '../domain/test-hosts.ts';
import { ONLY_TEST_HOSTS } from '../domain/url-check.ts';
import type { VendorFacts } from '../domain/vendors.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { StoringTime } from '../observe/spans.ts';
import type { Coordination } from '../ports/coordination.ts';
import type { Proxies } from '../ports/proxies.ts';
import type { StorageHealth } from '../ports/store.ts';
import { type BlobStore, type RecordStore, StorageError } from '../ports/store.ts';
import {
  isExcludedByIdentity,
  type PriceOf,
  type RoutingContext,
  type StepPrice,
} from '../router/exclusion.ts';
import { type PlanResult, plan } from '../router/plan.ts';
import type { RuleHistory } from '../router/rule-history.ts';
import { modelRefusal } from './ask-model.ts';
import type { Scrapers } from './attempt.ts';
import type { AttemptResult } from './attempt-result.ts';
import { ClearanceCache } from './clearance-cache.ts';
import type { BesideRequest } from './fetch-beside.ts';
import { readRecord, type StoredPage } from './read-record.ts';
import { RequestCoalescer } from './request-coalescer.ts';
import { compareProblems, readingProblems, requestProblems } from './request-problems.ts';
import type { KnownRobots } from './robots.ts';
import { withDriftWarning } from './rule-drift.ts';
import { type RunDeps, type RunRequest, runScrape, scrapeWithoutAttempt } from './run.ts';
import { readSitemaps, type SitemapResult } from './sitemaps.ts';
import { storeContents } from './store-contents.ts';
import { type TestFetch, testFetch } from './test-fetch.ts';

/** Turns a scrape into JSON. */
interface ScrapeSerializer {
  /** The scrape response object as JSON text, without `content`. */
  answer(scrape: Scrape): string;
  /** The record to be stored, as `router.retain` demands. */
  record(scrape: Scrape, principal: Principal, answerJson: string): NewRecord;
}

interface PipelineDeps extends Omit<RunDeps, 'coalescer' | 'clearances' | 'prices'> {
  /** Those in force; null: none are configured. The same object until they change. */
  readonly prices: () => Prices | null;
  readonly records: RecordStore;
  readonly rules: RuleHistory;
  readonly blobs: BlobStore;
  readonly health: Pick<StorageHealth, 'problem' | 'contentsProblem' | 'reportFailure'>;
  readonly render: ScrapeSerializer;
  readonly metrics: Pick<Metrics, 'recordStored' | 'storeFailed'>;
  /** The `User-Agent` of `auto` if the operator requires that it identifies itself; null: it impersonates a browser. */
  readonly autoUserAgent: string | null;
  readonly coordination: Pick<Coordination, 'limits' | 'values'>;
  /** For what this replica shares with others; null: there are none. */
  readonly sealer: Sealer | null;
}

export interface AnsweredScrape {
  readonly scrape: Scrape;
  /** The answer as JSON text, without `content`. */
  readonly answerJson: string;
  /** null: nothing was stored. Its `ms` is known when `run` has resolved. */
  readonly storing: StoringTime | null;
}

export interface PipelineRequest extends RunRequest {
  readonly principal: Principal;
  /**
   * Called while the record is being stored, so that the response can be prepared meanwhile. If storing fails, `run` resolves
   * to another scrape, and the prepared response must not be sent.
   */
  readonly whileStoring?: (answered: AnsweredScrape) => void;
  /** What has ended, with what is added to its data before it is stored; absent: nothing is added. */
  readonly complete?: (scrape: Scrape) => Promise<Scrape>;
  /** Stores the record, together with what belongs to it; absent: it is stored alone. */
  readonly store?: (record: NewRecord, answered: AnsweredScrape) => Promise<void>;
}

/** The stages of a validated scrape request: discover, plan, run. */
export interface Pipeline {
  /** Why a scraper is not available here; null if it is. */
  unavailable(scraper: ScraperName): string | null;
  /** The vendors of this installation. */
  vendors(): readonly VendorFacts[];
  /** Whether `auto` may take a step here, for a request without proxy settings. */
  isAvailable(step: Step): boolean;
  /** The steps that can be taken here, for a request without proxy settings. */
  steps(): readonly Step[];
  /** The price of an attempt by a step; null: it is not known, or depends on the traffic. */
  usualPrice(step: Step): MicroUnits | null;
  /**
   * Finds out which browsers are installed, for `unavailable`; with a task also whether they can do it, for `plan`. To be
   * awaited before those are called.
   * @returns null: everything is known already
   */
  discover(task: Task | null): Promise<unknown> | null;
  /** Why selectors and paths of the request are invalid (400); empty if they are valid. */
  problems(task: Task): readonly Failure[];
  /** The steps that a task may take, or why there is none (422). */
  plan(task: Task): PlanResult;
  /** The same for the options for reading alone. @param pointer of the object that has them as members */
  readingProblems(options: ReadingOptions, pointer: string): readonly Failure[];
  /** The same of the options of a comparison. */
  compareProblems(options: CompareOptions, pointer: string): readonly Failure[];
  /** Why the model that these options ask for cannot be asked (422); null if it can, or they need none. */
  readingRefusal(options: ReadingOptions, pointer: string): Failure | null;
  /** Reads a stored page again, without fetching. See `readRecord`. */
  read(
    page: StoredPage,
    options: ReadingOptions,
    signal: AbortSignal,
    reservation: MemoryReservation,
    memoryWaitMs?: number,
  ): ReturnType<typeof readRecord>;
  /** What the robots.txt of the origin of a task says to crawls, if it has been fetched. */
  knownRobots(task: Task, userId: string): KnownRobots | null;
  /** See `readSitemaps`. */
  sitemaps(request: BesideRequest): AsyncGenerator<SitemapResult>;
  /** See `testFetch`. */
  test<T>(fetch: TestFetch, read: (result: AttemptResult) => T): Promise<T>;
  /** Makes the attempts and stores the record, then resolves; also if the caller disconnects. */
  run(request: PipelineRequest): Promise<AnsweredScrape>;
}

/** What depends on the prices. A scrape uses those of its start until its end. */
interface Priced {
  readonly deps: PricedDeps;
  readonly context: RoutingContext;
}

type PricedDeps = Omit<PipelineDeps, 'prices'> & RunDeps;

export function createPipeline(deps: PipelineDeps): Pipeline {
  const shared = {
    coalescer: new RequestCoalescer(
      deps.sealer === null ? null : { limits: deps.coordination.limits, experience: deps.experience },
    ),
    clearances: new ClearanceCache(deps.coordination.values, deps.sealer),
  };
  let known: Priced | null = null;
  /** Made again when the prices have changed. */
  const now = (): Priced => {
    const prices = deps.prices();
    if (known !== null && known.deps.prices === prices) return known;
    const priced = { ...deps, ...shared, prices };
    known = { deps: priced, context: routingContext(priced) };
    return known;
  };
  const { context } = now();
  return {
    unavailable: context.unavailable,
    vendors: () => deps.scrapers.vendors?.() ?? [],
    isAvailable: (step) => isAvailable(step, context, deps.proxies),
    steps: () => [
      ...SCRAPER_NAMES.flatMap((scraper) => POOLED_TYPES.map((proxyType) => ({ scraper, proxyType }))).filter(
        (step) => isAvailable(step, context, deps.proxies),
      ),
      ...(deps.scrapers.vendors?.() ?? []).flatMap(({ scraper, proxyTypes }) =>
        proxyTypes.map((proxyType) => ({ scraper, proxyType })),
      ),
    ],
    usualPrice: (step) => usualPrice(step, now().deps),
    discover(task) {
      const checks: Promise<void>[] = [];
      for (const scraper of deps.scrapers.values()) {
        const check = scraper.discover?.(task) ?? null;
        if (check !== null) checks.push(check);
      }
      return checks.length === 0 ? null : Promise.all(checks);
    },
    problems: requestProblems,
    readingProblems,
    compareProblems,
    readingRefusal: (options, pointer) => modelRefusal(now().deps, options, pointer, null),
    read: (page, options, signal, reservation, memoryWaitMs) => {
      const wait = memoryWaitMs === undefined ? {} : { memoryWaitMs };
      return readRecord(page, options, signal, { ...now().deps, reservation, ...wait });
    },
    plan: (task) => plan(task, now().context, deps.experience, deps.clock.now() / 1000),
    knownRobots: (task, userId) => deps.robots.known(task, userId),
    test: (fetch, read) => testFetch(now().deps, fetch, read),
    sitemaps: (request) => readSitemaps(now().deps, deps.robots, request),
    async run(request) {
      const priced = now().deps;
      if (deps.health.problem() !== null) return refusedScrape(priced, request);
      const task = withAutoIdentity(request.task, deps.autoUserAgent);
      // What its page does is free, needs no proxy, and is allowed to every key: it must not lead elsewhere.
      const allowUrl = isTestHost(task.host) ? ONLY_TEST_HOSTS : request.allowUrl;
      const isAsked = task === request.task && allowUrl === request.allowUrl;
      const scrape = await runScrape(priced, isAsked ? request : { ...request, task, allowUrl });
      const drift = { rules: deps.rules, now: deps.clock.now() };
      const ended = withDriftWarning(scrape, request.principal.userId, drift);
      // The record keeps what the caller sent, which is masked for it.
      const turn = turnFor(task.body?.bytes.length ?? 0);
      if (turn !== null) await turn;
      return await storeScrape(priced, request, (await request.complete?.(ended)) ?? ended);
    },
  };
}

/** Shown by `GET /api/v1/scrapers/` and in error messages. */
const NOT_AVAILABLE = 'not available in this version';

const UNKNOWN_VENDOR = 'the operator has not configured a vendor of this name';

function routingContext({ scrapers, proxies, prices, model, autoUserAgent }: PricedDeps): RoutingContext {
  return {
    unavailable(name) {
      const scraper = scrapers.get(name);
      if (scraper !== undefined) return scraper.unavailable?.() ?? null;
      return isVendor(name) ? UNKNOWN_VENDOR : NOT_AVAILABLE;
    },
    modelRefusal: ({ options, router }) =>
      modelRefusal({ model, prices }, options, '/scraper_options', router.maxCost),
    refusal: (name, task) => scrapers.get(name)?.refusal?.(task) ?? null,
    proxyRefusal: (type, task) => proxies.refusal(type, task.proxy),
    ...(prices === null ? {} : { price: priceOf(prices, proxies, scrapers) }),
    vendors: () => scrapers.vendors?.() ?? [],
    autoIsHonest: autoUserAgent !== null,
  };
}

const STORAGE_UNAVAILABLE = 'Records cannot be stored now, so nothing was fetched.';

function refusedScrape(deps: PricedDeps, request: PipelineRequest): AnsweredScrape {
  const scrape = scrapeWithoutAttempt(deps, request, failure('service.storage', STORAGE_UNAVAILABLE));
  return { scrape, answerJson: deps.render.answer(scrape), storing: null };
}

/** Stores the record. Returns the scrape; or, if that fails, a failed scrape without content (503). */
async function storeScrape(
  deps: PricedDeps,
  { principal, whileStoring, store }: PipelineRequest,
  scrape: Scrape,
): Promise<AnsweredScrape> {
  const { records, clock, metrics, render } = deps;
  const storing = { startedAt: clock.now(), ms: 0 };
  const answered = { scrape, answerJson: render.answer(scrape), storing };
  const beganAt = clock.monotonic();
  try {
    const record = render.record(scrape, principal, answered.answerJson);
    await storeContents(deps, record, scrape);
    const stored = store === undefined ? records.put(record) : store(record, answered);
    try {
      whileStoring?.(answered);
    } finally {
      await stored;
    }
    storing.ms = clock.monotonic() - beganAt;
    metrics.recordStored(storing.ms);
    return answered;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    metrics.storeFailed();
    deps.health.reportFailure(error);
    const unstored = withoutRecord(scrape);
    return { scrape: unstored, answerJson: render.answer(unstored), storing: null };
  }
}

/** The task with the `User-Agent` of `auto`, unless the caller sets one, or a device, which includes one. */
function withAutoIdentity(task: Task, autoUserAgent: string | null): Task {
  const { scraper, headers, options } = task;
  if (autoUserAgent === null || scraper !== 'auto' || options.userAgent !== null || options.device !== null)
    return task;
  if (headers.some(([name]) => name.toLowerCase() === 'user-agent')) return task;
  return { ...task, options: { ...options, userAgent: autoUserAgent } };
}

function isAvailable({ scraper, proxyType }: Step, context: RoutingContext, proxies: Proxies): boolean {
  return (
    context.unavailable(scraper) === null &&
    !isExcludedByIdentity(scraper, context) &&
    proxies.refusal(proxyType, DEFAULT_PROXY_OPTIONS) === null
  );
}

function usualPrice({ scraper, proxyType }: Step, deps: PricedDeps): MicroUnits | null {
  const { prices, proxies, scrapers } = deps;
  if (prices === null) return null;
  if (isVendor(scraper))
    return scrapers.vendors?.().find((vendor) => vendor.scraper === scraper)?.usualPrice ?? null;
  const price = builtInPrice(prices, proxies, { scraper, proxyType }, DEFAULT_PROXY_OPTIONS);
  return price === null || price.byBytes ? null : price.fixed;
}

/** The price of an attempt by a step: that of its scraper, and of the most expensive exit that it may use. */
function priceOf(prices: Prices, proxies: Proxies, { vendors }: Scrapers): PriceOf {
  return ({ scraper, proxyType }, task) => {
    if (isVendor(scraper)) {
      const fixed =
        vendors?.()
          .find((vendor) => vendor.scraper === scraper)
          ?.price(task, proxyType) ?? null;
      return fixed === null ? null : { fixed, byBytes: false };
    }
    return builtInPrice(prices, proxies, { scraper, proxyType }, task.proxy);
  };
}

function builtInPrice(
  { scrapers, direct }: Prices,
  proxies: Proxies,
  { scraper, proxyType }: { readonly scraper: BuiltInScraper; readonly proxyType: ProxyType },
  proxy: ProxyOptions,
): StepPrice | null {
  const scraperPrice = scrapers[scraper];
  const exitPrice = proxies.price(proxyType, proxy);
  if (scraperPrice === undefined || exitPrice === null) return null;
  const exits =
    exitPrice === 'direct' ? [direct] : proxy.bypass.length > 0 ? [exitPrice, direct] : [exitPrice];
  const perRequest = Math.max(...exits.map((exit) => exit.perRequest));
  return { fixed: scraperPrice + perRequest, byBytes: exits.some(({ perGb }) => perGb > 0) };
}

/** The scrape after its record could not be stored: failed, without id and content. Its attempts are still reported. */
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

/** The page without screenshots, files, network log and results of actions. */
function withoutExtras({
  screenshot: _screenshot,
  pdf: _pdf,
  downloads: _downloads,
  network: _network,
  actions: _actions,
  ...page
}: Page): Page {
  return page;
}
