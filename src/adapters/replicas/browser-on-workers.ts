import { DEADLINE_EXCEEDED } from '../../base/time.ts';
import { uuid7 } from '../../base/uuid7.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import { type FetchResult, NO_TIMING } from '../../domain/fetch-result.ts';
import type { Sealer } from '../../domain/sealing.ts';
import type { BrowserActivity, BrowserReadiness, InstalledBrowser } from '../../domain/system.ts';
import { isRepeatable, type Task } from '../../domain/task.ts';
import type { BrowserReport, Replicas } from '../../ports/replicas.ts';
import type { BrowserMonitor, FetchRequest, Scraper } from '../../ports/scraper.ts';
import { StorageError } from '../../ports/store.ts';
import { browserKey, type HandOverState, type HandOverStore } from './hand-over-store.ts';
import { HAND_OVER_FORMAT, packRequest, unpackResult } from './handed-over.ts';

export interface BrowserOnWorkersOptions {
  readonly store: HandOverStore;
  readonly replicas: Replicas;
  readonly sealer: Sealer;
  readonly onError: (error: unknown) => void;
}

export interface BrowserOnWorkers extends Scraper, BrowserMonitor {
  /** There is nothing to start here. Resolves with the reason if no worker has a browser. */
  start(warm: boolean): Promise<Failure | null>;
}

/** How a hand-over ended. `lost`: it is gone from the database. */
type Ending = 'done' | 'lost' | 'abandoned' | 'no worker' | 'aborted';

/** How often to look for what a message should have said. */
const POLL_MS = 500;
/** After the deadline, a worker may take this long to deliver what it has of the page. */
const LATE_MS = 1_900;
/** A worker stops a little before the deadline of the caller, so that its result arrives in time. */
const TRANSFER_MS = 250;

/** The scraper `browser` of a replica without browsers: hands its requests to workers, and waits for the results. */
export function createBrowserOnWorkers(options: BrowserOnWorkersOptions): BrowserOnWorkers {
  const caller = new Caller(options);
  const reports = () => reportsOf(options.replicas);
  return {
    name: 'browser',
    fetch: (request) => caller.fetch(request),
    refusal: (task) => refusalOf(reports(), task),
    list: async () => installedBrowsers(reports()),
    state: () => readinessOf(reports()),
    activity: () => activityOf(reports()),
    waiting: () => caller.unclaimed,
    start: async () => refusalOf(reports(), null),
    close: () => caller.close(),
  };
}

class Caller {
  readonly #options: BrowserOnWorkersOptions;
  /** What waits for the end of a hand-over, by its id. */
  readonly #waiting = new Map<string, (ending: Ending) => void>();
  /** Requests of those that no worker has taken, as far as is known, and that report their steps; by the same id. */
  readonly #untaken = new Map<string, FetchRequest>();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #polling = false;
  #unclaimed = 0;

  constructor(options: BrowserOnWorkersOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#poll(), POLL_MS).unref();
    options.store.listen(
      (kind, id) => {
        if (kind === 'done') this.#waiting.get(id)?.('done');
      },
      () => void this.#poll(),
    );
    this.#unsubscribe = options.replicas.onChange(() => void this.#poll());
  }

  /** Hand-overs that no worker has taken, as of the last half second. */
  get unclaimed(): number {
    return this.#waiting.size === 0 ? 0 : this.#unclaimed;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#unsubscribe();
  }

  async fetch(request: FetchRequest): Promise<FetchResult> {
    try {
      for (;;) {
        const refused = refusalOf(reportsOf(this.#options.replicas), request.task);
        if (refused !== null) return failedResult(refused);
        const result = await this.#handOver(request);
        if (result !== 'lost') return result;
      }
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      this.#options.onError(error);
      return failedResult(failure('service.storage', 'The scrape could not be handed to a worker.'));
    }
  }

  /** @returns `lost`: it may be handed over again */
  async #handOver(request: FetchRequest): Promise<FetchResult | 'lost'> {
    const { store, replicas, sealer } = this.#options;
    const { task, userId, deadline, attemptDeadline } = request;
    const id = uuid7(Date.now());
    const timeLeft = (ms: number) => Math.max(ms / 2, ms - TRANSFER_MS);
    await store.add({
      id,
      caller: replicas.id,
      userId,
      format: HAND_OVER_FORMAT,
      browser: browserOf(task),
      isRepeatable: isRepeatable(task.method),
      request: sealer.seal('handover', id, packRequest(request)),
      timeLeftMs: timeLeft(deadline.remaining()),
      attemptLeftMs: attemptDeadline === null ? null : timeLeft(attemptDeadline.remaining()),
    });
    if (request.onStep !== undefined) {
      request.onStep({ phase: 'waiting', waitingFor: 'worker' });
      this.#untaken.set(id, request);
    }
    try {
      const ending = await this.#ending(id, request);
      return ending === 'done' ? await this.#result(id, request) : resultWithout(ending, request);
    } finally {
      this.#untaken.delete(id);
      // Also ends the work of the worker, if it still runs.
      await store.remove(id).catch(this.#options.onError);
    }
  }

  #ending(id: string, { deadline: { signal } }: FetchRequest): Promise<Ending> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (ending: Ending) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.#waiting.delete(id);
        resolve(ending);
      };
      const onAbort = () => {
        // The worker has the same deadline, and delivers what it has of the page.
        if (signal.reason === DEADLINE_EXCEEDED) timer = setTimeout(end, LATE_MS, 'aborted');
        else end('aborted');
      };
      this.#waiting.set(id, end);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  async #result(id: string, request: FetchRequest): Promise<FetchResult | 'lost'> {
    const { store, sealer } = this.#options;
    const result = await store.result(id);
    if (result === null) return resultWithout('lost', request);
    const { claim, first, bytes, bodyBytes } = result;
    let number = 0;
    const next = async () => {
      const sealed = number === 0 ? first : await store.piece(id, claim, number);
      return sealed === null ? null : sealer.open('handover', pieceOwner(id, claim, number++), sealed);
    };
    const unpacked = await unpackResult({ bytes, bodyBytes, next }, request);
    if (unpacked !== null) return unpacked;
    const message = 'The request timed out while it waited for memory for the page.';
    return failedResult(failure('service.unavailable', message), true);
  }

  /** The steps of the worker are not known here. */
  #reportTaken(id: string): void {
    this.#untaken.get(id)?.onStep?.({ phase: 'fetching' });
    this.#untaken.delete(id);
  }

  async #poll(): Promise<void> {
    if (this.#polling || this.#waiting.size === 0) return;
    this.#polling = true;
    const { store, replicas, onError } = this.#options;
    // What is added from now on may be missing in the answer.
    const ids = [...this.#waiting.keys()];
    try {
      const states = new Map((await store.states(replicas.id)).map(({ id, state }) => [id, state]));
      this.#unclaimed = [...states.values()].filter((state) => state === 'waiting').length;
      const hasWorker = reportsOf(replicas).length > 0;
      for (const id of ids) {
        if (states.get(id) === 'running') this.#reportTaken(id);
        const ending = endingOf(states.get(id), hasWorker);
        if (ending !== null) this.#waiting.get(id)?.(ending);
      }
    } catch (error) {
      onError(error);
    } finally {
      this.#polling = false;
    }
  }
}

/** @returns null: it goes on */
function endingOf(state: HandOverState['state'] | undefined, hasWorker: boolean): Ending | null {
  if (state === undefined) return 'lost';
  if (state === 'waiting') return hasWorker ? null : 'no worker';
  return state === 'running' ? null : state;
}

const NO_WORKER = failure(
  'service.unavailable',
  'No worker with a browser runs now (SLUICE_ROLE=worker); retry soon.',
);

function resultWithout(
  ending: Exclude<Ending, 'done'>,
  { task, deadline }: FetchRequest,
): FetchResult | 'lost' {
  const isSentOnce = !isRepeatable(task.method);
  switch (ending) {
    case 'no worker':
      return failedResult(NO_WORKER);
    case 'aborted':
      return deadline.signal.reason === DEADLINE_EXCEEDED
        ? failedResult(
            failure('timeout.total', 'The worker did not answer within the time limit.', {
              details: { phase: 'worker' },
            }),
            true,
          )
        : failedResult(failure('request.cancelled', 'The scrape was cancelled.'), true);
    case 'lost':
      if (!isSentOnce && !deadline.signal.aborted) return 'lost';
      return failedResult(WORKER_ENDED, true);
    case 'abandoned':
      return failedResult(WORKER_ENDED, true);
  }
}

const WORKER_ENDED = failure(
  'browser.crashed',
  'The worker that ran the scrape ended. The request may have reached the target, so it was not sent again.',
);

export function failedResult(cause: Failure, sent = false): FetchResult {
  return {
    page: null,
    failure: cause,
    statusCode: null,
    redirects: [],
    requestHeaders: null,
    remoteIp: null,
    timing: NO_TIMING,
    sent,
    warnings: [],
    bytesOut: 0,
    bytesIn: 0,
  };
}

/** What a piece is sealed for. */
export const pieceOwner = (id: string, claim: number, number: number): string => `${id}/${claim}/${number}`;

const browserOf = ({ browser }: Task): string => browserKey(browser.browserType, browser.headless);

/** The workers that take new work. */
const reportsOf = (replicas: Replicas): readonly BrowserReport[] =>
  replicas
    .others()
    .flatMap(({ isDraining, browsers }) =>
      isDraining || browsers?.format !== HAND_OVER_FORMAT ? [] : [browsers],
    );

/** @param task null: any */
function refusalOf(reports: readonly BrowserReport[], task: Task | null): Failure | null {
  if (reports.length === 0) return NO_WORKER;
  if (task === null || reports.some((report) => browserKeysOf(report).includes(browserOf(task)))) return null;
  const { browserType, headless } = task.browser;
  const kind = headless ? browserType : `${browserType} with windows`;
  return failure('browser.unavailable', `No worker has the browser ${kind}.`, { pointer: '/browser_type' });
}

/** The kinds of browsers that a worker takes hand-overs for. */
export function browserKeysOf({
  installed,
  activity,
}: Pick<BrowserReport, 'installed' | 'activity'>): readonly string[] {
  const keys = installed.flatMap(({ type, headless, headed }) => [
    ...(headless ? [browserKey(type, true)] : []),
    ...(headed ? [browserKey(type, false)] : []),
  ]);
  const remote = activity.remote.flatMap(({ types }) =>
    types.flatMap((type) => [browserKey(type, true), browserKey(type, false)]),
  );
  return [...new Set([...keys, ...remote])];
}

/** The browsers of all workers, each kind once. */
function installedBrowsers(reports: readonly BrowserReport[]): readonly InstalledBrowser[] {
  const byText = new Map<string, InstalledBrowser>();
  for (const { installed } of reports)
    for (const browser of installed) byText.set(JSON.stringify(browser), browser);
  return [...byText.values()];
}

/** The best state of all workers, with the problems of any. */
function readinessOf(reports: readonly BrowserReport[]): BrowserReadiness {
  const states = reports.map(({ readiness }) => readiness.state);
  const ages = reports.map(({ readiness }) => readiness.outdatedDays ?? 0);
  const order = ['ready', 'unknown', 'down'] as const;
  return {
    state: order.find((state) => states.includes(state)) ?? 'unavailable',
    sandbox: reports.some(({ readiness }) => readiness.sandbox === 'off') ? 'off' : 'on',
    smallShm: reports.some(({ readiness }) => readiness.smallShm),
    outdatedDays: Math.max(0, ...ages) || null,
  };
}

function activityOf(reports: readonly BrowserReport[]): BrowserActivity {
  const sum = (count: (activity: BrowserActivity) => number) =>
    reports.reduce((total, { activity }) => total + count(activity), 0);
  return {
    slots: {
      total: sum(({ slots }) => slots.total),
      busy: sum(({ slots }) => slots.busy),
      waiting: sum(({ slots }) => slots.waiting),
    },
    pagesServed: sum(({ pagesServed }) => pagesServed),
    refused: sum(({ refused }) => refused),
    kinds: reports.flatMap(({ activity }) => activity.kinds),
    remote: reports.flatMap(({ activity }) => activity.remote),
  };
}
