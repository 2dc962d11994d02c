import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { microToCurrency } from '../base/numbers.ts';
import { FAILURES, type FailureCode } from '../domain/failure.ts';
import type { Attempt, Outcome, Scrape } from '../domain/scrape.ts';
import { vendorName } from '../domain/scrapers.ts';
import { BROWSER_PHASES, type BrowserActivity, type BrowserPhase } from '../domain/system.ts';
import type { VendorCallFacts, VendorFacts } from '../domain/vendors.ts';

export interface Metrics {
  /** Counts an ended scrape and its attempts. */
  scrapeEnded(scrape: Scrape): void;
  /** Counts a request that was refused before a scrape began. */
  requestRefused(code: FailureCode): void;
  /** +1 when a scrape begins, -1 when it has settled. */
  changeInFlight(change: 1 | -1): void;
  /** @param ms how long the store took for one record */
  recordStored(ms: number): void;
  /** @param ms how long a phase of a browser scrape took */
  browserPhase(phase: BrowserPhase, ms: number): void;
  /** Counts a request to a vendor. */
  vendorCalled(call: VendorCallFacts): void;
  /** Counts a failed operation of the store. */
  storeFailed(): void;
  /** Adds a gauge. @param read called whenever the metrics are read; while it rejects, the gauge has no value */
  addGauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** Adds a gauge with one label. @param read called whenever the metrics are read: the values by label */
  addLabelledGauge(name: string, help: string, label: string, read: () => ReadonlyMap<string, number>): void;
  /**
   * The metrics in the Prometheus text format, version 0.0.4. The event loop and garbage collection are observed only from the
   * first call on, because observing has a cost, and many services never read the metrics.
   */
  text(): Promise<string>;
  readonly contentType: string;
}

const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const STORE_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** The metrics of this service, except gauges. Labels have few values: never a host, a URL, a user or a key. */
function registerMetrics(registers: Registry[]) {
  return {
    scrapes: new Counter({
      name: 'sluice_scrapes_total',
      help: 'Finished scrapes by scraper, outcome, and status class of the response to the caller.',
      labelNames: ['scraper', 'outcome', 'http_status'],
      registers,
    }),
    durations: new Histogram({
      name: 'sluice_scrape_duration_seconds',
      help: 'Time from receiving the request to sending the response, with the pauses that sites asked for.',
      labelNames: ['scraper'],
      buckets: DURATION_BUCKETS,
      registers,
    }),
    attempts: new Counter({
      name: 'sluice_attempts_total',
      help: 'Attempts by scraper, proxy type, outcome and error code (ok if there was no error).',
      labelNames: ['scraper', 'proxy_type', 'outcome', 'code'],
      registers,
    }),
    refused: new Counter({
      name: 'sluice_requests_refused_total',
      help: 'Requests rejected before scraping, by error code.',
      labelNames: ['code'],
      registers,
    }),
    stores: new Histogram({
      name: 'sluice_store_duration_seconds',
      help: 'Time to store a record.',
      buckets: STORE_BUCKETS,
      registers,
    }),
    phases: new Histogram({
      name: 'sluice_browser_phase_seconds',
      help: `Time of each phase of a browser scrape: ${BROWSER_PHASES.join(', ')}.`,
      labelNames: ['phase'],
      buckets: DURATION_BUCKETS,
      registers,
    }),
    vendorRequests: new Counter({
      name: 'sluice_vendor_requests_total',
      help: 'Requests to vendors by result: ok, cancelled, or the reason of vendor.failed.',
      labelNames: ['vendor', 'result'],
      registers,
    }),
    vendorDurations: new Histogram({
      name: 'sluice_vendor_request_duration_seconds',
      help: 'Time until a vendor answered, or was no longer waited for.',
      labelNames: ['vendor'],
      buckets: DURATION_BUCKETS,
      registers,
    }),
    vendorCosts: new Counter({
      name: 'sluice_vendor_cost_total',
      help: 'What vendors cost, in the currency of SLUICE_PRICES; without requests whose cost is not known.',
      labelNames: ['vendor'],
      registers,
    }),
    vendorCredits: new Counter({
      name: 'sluice_vendor_credits_total',
      help: 'Credits that vendors say they charged.',
      labelNames: ['vendor'],
      registers,
    }),
    storeFailures: new Counter({
      name: 'sluice_store_failures_total',
      help: 'Failed storage operations.',
      registers,
    }),
  };
}

/** @param droppedLogLines called whenever the metrics are read */
export function createMetrics(droppedLogLines: () => number): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const metrics = registerMetrics(registers);
  const addGauge = (name: string, help: string, read: () => number | Promise<number>): void => {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        try {
          this.set(await read());
        } catch {
          this.remove();
        }
      },
    });
  };
  const addLabelledGauge: Metrics['addLabelledGauge'] = (name, help, label, read) => {
    new Gauge({
      name,
      help,
      registers,
      labelNames: [label],
      collect() {
        this.reset();
        for (const [key, value] of read()) this.set({ [label]: key }, value);
      },
    });
  };
  let inFlight = 0;
  addGauge('sluice_scrapes_in_flight', 'Running scrapes.', () => inFlight);
  addGauge('sluice_log_lines_dropped', 'Log lines dropped because the output was blocked.', droppedLogLines);

  const countScrape = scrapeCounter(metrics);
  const countAttempt = attemptCounter(metrics.attempts);
  let processMetricsStarted = false;
  return {
    scrapeEnded(scrape) {
      countScrape(scrape);
      for (const attempt of scrape.attempts) countAttempt(attempt);
    },
    requestRefused(code) {
      metrics.refused.inc({ code: Object.hasOwn(FAILURES, code) ? code : 'other' });
    },
    changeInFlight(change) {
      inFlight += change;
    },
    recordStored: (ms) => metrics.stores.observe(ms / 1000),
    browserPhase: (phase, ms) => metrics.phases.observe({ phase }, ms / 1000),
    vendorCalled({ vendor, result, ms, cost, credits }) {
      metrics.vendorRequests.inc({ vendor, result });
      metrics.vendorDurations.observe({ vendor }, ms / 1000);
      if (cost !== null) metrics.vendorCosts.inc({ vendor }, microToCurrency(cost));
      if (credits !== null) metrics.vendorCredits.inc({ vendor }, Math.max(0, credits));
    },
    storeFailed: () => metrics.storeFailures.inc(),
    addGauge,
    addLabelledGauge,
    async text() {
      if (!processMetricsStarted) {
        processMetricsStarted = true;
        collectProcessMetrics(registry);
      }
      return dropEmptyLoopLag(await registry.metrics());
    },
    contentType: registry.contentType,
  };
}

// prom-client builds a text from the labels at each lookup. The few combinations of labels are cached here, which is faster.

interface LabelledMetrics {
  readonly count: () => void;
  readonly observe: (seconds: number) => void;
}

function scrapeCounter({
  scrapes,
  durations,
}: Pick<ReturnType<typeof registerMetrics>, 'scrapes' | 'durations'>): (scrape: Scrape) => void {
  /** By scraper, outcome and status class (the first digit; 0: no status). */
  const cache = new Map<string | null, Map<Outcome, LabelledMetrics[]>>();
  return ({ scraper, outcome, httpStatus, timing }) => {
    const label = scraper ?? 'none';
    const statusClass = httpStatus === null ? 0 : Math.floor(httpStatus / 100);
    const byOutcome = getOrCreate(cache, scraper, () => new Map<Outcome, LabelledMetrics[]>());
    const byClass = getOrCreate(byOutcome, outcome, () => []);
    byClass[statusClass] ??= {
      count: scrapes.labels(label, outcome, statusClass === 0 ? 'none' : `${statusClass}xx`).inc,
      observe: durations.labels(label).observe,
    };
    byClass[statusClass].count();
    byClass[statusClass].observe(timing.total / 1000);
  };
}

function attemptCounter(
  attempts: ReturnType<typeof registerMetrics>['attempts'],
): (attempt: Attempt) => void {
  const cache = new Map<string, () => void>();
  return ({ scraper, proxyType, outcome, failure }) => {
    const code = failure?.code ?? 'ok';
    const key = `${scraper} ${proxyType} ${outcome} ${code}`;
    getOrCreate(cache, key, () => attempts.labels(scraper, proxyType, outcome, code).inc)();
  };
}

/** Adds the metrics of the process: event loop, garbage collection, memory and processor time. */
function collectProcessMetrics(registry: Registry): void {
  const { user, system } = process.cpuUsage();
  collectDefaultMetrics({ register: registry });
  // prom-client counts processor time only from here on. The time that was used before is added.
  for (const [kind, micros] of [
    ['_user', user],
    ['_system', system],
    ['', user + system],
  ] as const)
    (registry.getSingleMetric(`process_cpu${kind}_seconds_total`) as Counter).inc(micros / 1e6);
}

/** Without a sample since the last read, the mean of the event loop lag is NaN. Then the lag metrics are left out. */
const dropEmptyLoopLag = (text: string): string =>
  /^nodejs_eventloop_lag_mean_seconds nan$/im.test(text)
    ? text.replace(/^nodejs_eventloop_lag_\w+ .*\n/gm, '')
    : text;

function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  let found = map.get(key);
  if (found === undefined) {
    found = create();
    map.set(key, found);
  }
  return found;
}

/**
 * Adds gauges for the facts about browsers that `GET /api/v1/system/` also shows.
 * @param readActivity null: this replica has no browsers. Those of workers are not counted twice.
 * @param waiting scrapes of this replica that wait for a browser
 */
export function addBrowserGauges(
  { addGauge, addLabelledGauge }: Pick<Metrics, 'addGauge' | 'addLabelledGauge'>,
  readActivity: (() => BrowserActivity) | null,
  waiting: () => number,
): void {
  addGauge('sluice_browser_waiting', 'Scrapes of this replica that wait for a browser.', waiting);
  if (readActivity === null) return;
  const sumOverKinds = (count: (kind: BrowserActivity['kinds'][number]) => number) => () =>
    readActivity().kinds.reduce((sum, kind) => sum + count(kind), 0);
  addGauge('sluice_browser_slots', 'Maximum number of open pages.', () => readActivity().slots.total);
  addGauge('sluice_browser_slots_used', 'Open pages.', () => readActivity().slots.busy);
  addGauge(
    'sluice_browsers_running',
    'Running browsers, including those that close after their last page.',
    sumOverKinds(({ browsers }) => browsers.length),
  );
  addGauge(
    'sluice_browser_memory_bytes',
    'Private memory of the main browser processes.',
    sumOverKinds(({ browsers }) => browsers.reduce((sum, { memory }) => sum + memory, 0)),
  );
  addGauge(
    'sluice_browsers_launched',
    'Browsers started since the service started.',
    sumOverKinds(({ launches }) => launches),
  );
  addGauge(
    'sluice_browsers_crashed',
    'Browsers that ended unexpectedly since the service started.',
    sumOverKinds(({ crashes }) => crashes),
  );
  addGauge(
    'sluice_browsers_recycled',
    'Browsers replaced because of page count, age or memory since the service started.',
    sumOverKinds(({ recycles }) => recycles),
  );
  addGauge(
    'sluice_browsers_replaced',
    'Browsers replaced because they hung or may have been damaged since the service started.',
    sumOverKinds(({ replaced }) => replaced),
  );
  type Remote = BrowserActivity['remote'][number];
  const ofRemotes = (value: (remote: Remote) => number) => () =>
    new Map(readActivity().remote.map((remote) => [remote.name, value(remote)]));
  const addRemote = (name: string, help: string, value: (remote: Remote) => number) =>
    addLabelledGauge(`sluice_remote_browser_${name}`, help, 'browser', ofRemotes(value));
  addRemote('up', '1 if the remote browser can be used, otherwise 0.', ({ state }) =>
    state === 'ready' ? 1 : 0,
  );
  addRemote('slots', 'Scrapes that may be connected to the remote browser.', ({ slots }) => slots.total);
  addRemote('slots_used', 'Scrapes and checks that are connected.', ({ slots }) => slots.busy);
  addRemote('slots_waiting', 'Scrapes waiting for a slot of it.', ({ slots }) => slots.waiting);
  addRemote('failures', 'Connections that failed since the service started.', ({ failures }) => failures);
}

const COUNTERS = [null, 'process', 'postgresql', 'redis'] as const;

/** @param counter who counts requests in flight; null: the replicas are just agreeing */
export function addCountingGauge(metrics: Metrics, counter: () => (typeof COUNTERS)[number]): void {
  metrics.addGauge(
    'sluice_counting',
    'Who counts requests in flight: 0 the replicas are just agreeing, 1 this process, 2 PostgreSQL, 3 Redis.',
    () => COUNTERS.indexOf(counter()),
  );
}

/** Adds a gauge of the vendors that are left alone now, or have reached their daily cap. */
export function addVendorGauge(metrics: Metrics, vendors: () => readonly VendorFacts[]): void {
  metrics.addLabelledGauge(
    'sluice_vendor_resting',
    '1 while the vendor is left alone, after failures or because its daily cap is reached, otherwise 0.',
    'vendor',
    () =>
      new Map(
        vendors().map((vendor) => [
          vendorName(vendor.scraper),
          vendor.resting() !== null || vendor.isSpent() ? 1 : 0,
        ]),
      ),
  );
}
