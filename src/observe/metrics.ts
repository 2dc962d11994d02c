import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { FAILURES, type FailureCode } from '../domain/failure.ts';
import type { Attempt, Outcome, Scrape } from '../domain/scrape.ts';
import { BROWSER_PHASES, type BrowserActivity, type BrowserPhase } from '../domain/system.ts';

export interface Metrics {
  /** Of one ended scrape, with its attempts. */
  scrapeEnded(scrape: Scrape): void;
  /** A request that was answered before it was a scrape. */
  requestRefused(code: FailureCode): void;
  /** +1 when a scrape begins, -1 when it has settled. */
  inFlight(change: 1 | -1): void;
  /** How long the store took for one record. */
  recordStored(ms: number): void;
  /** A phase of a scrape in a browser. */
  browserPhase(phase: BrowserPhase, ms: number): void;
  /** A failed operation of the store. */
  storeFailed(): void;
  /** Adds a number that is asked for when the metrics are read, such as bytes in use. */
  addGauge(name: string, help: string, read: () => number): void;
  /**
   * The text of the Prometheus exposition format, version 0.0.4. From the first call on the event loop and the garbage
   * collection are watched, which costs something also when nobody asks.
   */
  text(): Promise<string>;
  readonly contentType: string;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

interface ScrapeMetric {
  readonly count: () => void;
  readonly observe: (seconds: number) => void;
}

/**
 * Labels are from closed lists only: never a host, a URL, a user or a key (contract: `/metrics`).
 * @param droppedLogLines asked when the metrics are read
 */
export function createMetrics(droppedLogLines: () => number): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const scrapes = new Counter({
    name: 'sluice_scrapes_total',
    help: 'Finished scrapes by scraper, outcome, and status class of the response to the caller.',
    labelNames: ['scraper', 'outcome', 'http_status'],
    registers,
  });
  const durations = new Histogram({
    name: 'sluice_scrape_duration_seconds',
    help: 'Time from receiving the request to sending the response.',
    labelNames: ['scraper'],
    buckets: SECONDS,
    registers,
  });
  const attempts = new Counter({
    name: 'sluice_attempts_total',
    help: 'Attempts by scraper, proxy type, outcome and error code (ok if there was no error).',
    labelNames: ['scraper', 'proxy_type', 'outcome', 'code'],
    registers,
  });
  const refused = new Counter({
    name: 'sluice_requests_refused_total',
    help: 'Requests rejected before scraping, by error code.',
    labelNames: ['code'],
    registers,
  });
  const stores = new Histogram({
    name: 'sluice_store_duration_seconds',
    help: 'Time to store a record.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  });
  const phases = new Histogram({
    name: 'sluice_browser_phase_seconds',
    help: `Time of each phase of a browser scrape: ${BROWSER_PHASES.join(', ')}.`,
    labelNames: ['phase'],
    buckets: SECONDS,
    registers,
  });
  const storeFailures = new Counter({
    name: 'sluice_store_failures_total',
    help: 'Failed storage operations.',
    registers,
  });
  const addGauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  let running = 0;
  addGauge('sluice_scrapes_in_flight', 'Running scrapes.', () => running);
  addGauge('sluice_log_lines_dropped', 'Log lines dropped because the output was blocked.', droppedLogLines);

  // prom-client looks labels up by a text it makes anew each time; the few combinations there are, are kept.
  const scrapeCells = new Map<string | null, Map<Outcome, ScrapeMetric[]>>();
  const scrapeCell = (scraper: string | null, outcome: Outcome, statusClass: number): ScrapeMetric => {
    const label = scraper ?? 'none';
    const byOutcome = getOrMake(scrapeCells, scraper, () => new Map<Outcome, ScrapeMetric[]>());
    const byClass = getOrMake(byOutcome, outcome, () => []);
    byClass[statusClass] ??= {
      count: scrapes.labels(label, outcome, statusClass === 0 ? 'none' : `${statusClass}xx`).inc,
      observe: durations.labels(label).observe,
    };
    return byClass[statusClass];
  };
  const attemptCells = new Map<string, () => void>();
  const countAttempt = ({ scraper, proxyType, outcome, failure }: Attempt): void => {
    const code = failure?.code ?? 'ok';
    getOrMake(
      attemptCells,
      `${scraper} ${proxyType} ${outcome} ${code}`,
      () => attempts.labels(scraper, proxyType, outcome, code).inc,
    )();
  };

  let started = false;
  const startProcessMetrics = (): void => {
    started = true;
    const { user, system } = process.cpuUsage();
    collectDefaultMetrics({ register: registry });
    // It counts from its own first look.
    for (const [kind, micros] of [
      ['_user', user],
      ['_system', system],
      ['', user + system],
    ] as const)
      (registry.getSingleMetric(`process_cpu${kind}_seconds_total`) as Counter).inc(micros / 1e6);
  };
  return {
    scrapeEnded(scrape) {
      const { httpStatus } = scrape;
      const cell = scrapeCell(
        scrape.scraper,
        scrape.outcome,
        httpStatus === null ? 0 : Math.floor(httpStatus / 100),
      );
      cell.count();
      cell.observe(scrape.timing.total / 1000);
      for (const attempt of scrape.attempts) countAttempt(attempt);
    },
    requestRefused(code) {
      refused.inc({ code: Object.hasOwn(FAILURES, code) ? code : 'other' });
    },
    inFlight(change) {
      running += change;
    },
    recordStored: (ms) => stores.observe(ms / 1000),
    browserPhase: (phase, ms) => phases.observe({ phase }, ms / 1000),
    storeFailed: () => storeFailures.inc(),
    addGauge,
    async text() {
      if (!started) startProcessMetrics();
      return dropEmptyLoopLag(await registry.metrics());
    },
    contentType: registry.contentType,
  };
}

/** The figures of the loop are about the time since the last reading: where none of it was seen, none is told. */
const dropEmptyLoopLag = (text: string): string =>
  /^nodejs_eventloop_lag_mean_seconds nan$/im.test(text)
    ? text.replace(/^nodejs_eventloop_lag_\w+ .*\n/gm, '')
    : text;

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let found = map.get(key);
  if (found === undefined) {
    found = make();
    map.set(key, found);
  }
  return found;
}

/** What `GET /api/v1/system/` tells of the browsers, as metrics. */
export function addBrowserGauges({ addGauge }: Pick<Metrics, 'addGauge'>, look: () => BrowserActivity): void {
  const ofKinds = (count: (kind: BrowserActivity['kinds'][number]) => number) => () =>
    look().kinds.reduce((sum, kind) => sum + count(kind), 0);
  addGauge('sluice_browser_slots', 'Maximum number of open pages.', () => look().slots.total);
  addGauge('sluice_browser_slots_used', 'Open pages.', () => look().slots.busy);
  addGauge('sluice_browser_slots_waiting', 'Scrapes waiting for a slot.', () => look().slots.waiting);
  addGauge(
    'sluice_browsers_running',
    'Running browsers, including those that close after their last page.',
    ofKinds(({ browsers }) => browsers.length),
  );
  addGauge(
    'sluice_browser_memory_bytes',
    'Private memory of the main browser processes.',
    ofKinds(({ browsers }) => browsers.reduce((sum, { memory }) => sum + memory, 0)),
  );
  addGauge(
    'sluice_browsers_launched',
    'Browsers started since the service started.',
    ofKinds(({ launches }) => launches),
  );
  addGauge(
    'sluice_browsers_crashed',
    'Browsers that ended unexpectedly since the service started.',
    ofKinds(({ crashes }) => crashes),
  );
  addGauge(
    'sluice_browsers_recycled',
    'Browsers replaced because of page count, age or memory since the service started.',
    ofKinds(({ recycles }) => recycles),
  );
  addGauge(
    'sluice_browsers_replaced',
    'Browsers replaced because they hung or may have been damaged since the service started.',
    ofKinds(({ replaced }) => replaced),
  );
}
