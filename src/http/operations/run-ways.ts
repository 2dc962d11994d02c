import type { MemoryReservation } from '../../base/memory-budget.ts';
import type { Principal } from '../../domain/account.ts';
import type { Scrape } from '../../domain/scrape.ts';
import type { Task } from '../../domain/task.ts';
import { type ContentPrint, contentPrint, type TriedWay } from '../../pipeline/likeness.ts';
import type { AnsweredScrape } from '../../pipeline/pipeline.ts';
import { type ComparisonItemJson, comparisonItem, refusedItem } from '../../wire/comparison.ts';
import { contentFacts } from '../../wire/record/record-json.ts';
import { permitRequest } from '../core/access.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { Refusal } from '../core/refusal.ts';
import { reserveBudgetAndPlan, runPlanned } from './run-planned.ts';

type RunWaysDeps = Pick<
  EndpointDeps,
  'accounts' | 'clock' | 'events' | 'inFlight' | 'memory' | 'metrics' | 'permits' | 'pipeline'
>;

interface WaysRequest {
  readonly principal: Principal;
  readonly requestId: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Ends all ways. Those that have not begun do not begin. */
  readonly signal: AbortSignal;
}

export interface Way {
  readonly name: string;
  readonly task: Task;
}

/** A way that has been run. Its content is kept only as a print. */
export interface RunWay extends TriedWay {
  readonly item: Omit<ComparisonItemJson, 'likeness'>;
}

/**
 * Runs one scrape for each way, and stores its record. The permit of the request serves one way after the other; others run
 * beside it, each with a permit of its own, while there are any.
 * @returns in the order of `ways`; incomplete if `signal` was aborted. Rejects when all have ended, if one rejects
 */
export async function runWays(
  deps: RunWaysDeps,
  ways: readonly Way[],
  request: WaysRequest,
): Promise<readonly RunWay[]> {
  const results: RunWay[] = [];
  const waiting = ways.entries();
  /** @returns false: none is left to run */
  const runNext = async (): Promise<boolean> => {
    if (request.signal.aborted) return false;
    const { done, value } = waiting.next();
    if (done === true) return false;
    const [index, way] = value;
    results[index] = await runWay(deps, way, request);
    return true;
  };
  const runAll = async () => {
    while (await runNext());
  };
  const runBeside = async () => {
    for (let goesOn = true; goesOn; ) {
      const permit = await deps.permits.take(permitRequest(request.principal));
      if (permit === null) return;
      try {
        goesOn = !permit.signal.aborted && (await runNext());
      } finally {
        permit.release();
      }
    }
  };
  const runs = await Promise.allSettled([runAll(), ...ways.slice(1).map(runBeside)]);
  for (const run of runs) if (run.status === 'rejected') throw run.reason;
  return results;
}

async function runWay(deps: RunWaysDeps, { name, task }: Way, request: WaysRequest): Promise<RunWay> {
  const { principal, requestId, headers, signal } = request;
  const startedAt = deps.clock.monotonic();
  const cancel = new AbortController();
  const abort = () => cancel.abort(signal.reason);
  const reservation = deps.memory.open();
  signal.addEventListener('abort', abort);
  try {
    await deps.pipeline.discover(task);
    const plan = await reserveBudgetAndPlan(deps, principal, task);
    const planned = { task, plan, principal, requestId, cancel, startedAt, reservation };
    const answered = await runPlanned(deps, planned);
    const { scrape, storing } = answered;
    deps.events.scrapeEnded(scrape, principal, { storing, headers });
    const item = comparisonItem(name, scrape);
    const print = await printOf(deps, answered, signal, reservation);
    return { item, isGood: isGood(scrape), print, cost: scrape.cost, durationMs: scrape.timing.total };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const item = refusedItem(name, error.errors);
    return { item, isGood: false, print: null, cost: null, durationMs: 0 };
  } finally {
    signal.removeEventListener('abort', abort);
    reservation.close();
  }
}

/** Whether the page was got, and is no shell, unless it meets the conditions of the caller. */
const isGood = ({ outcome, delivered, attempts }: Scrape): boolean =>
  outcome === 'ok' && attempts.find(({ n }) => n === delivered?.attempt)?.outcome === 'ok';

/** More of a text is not compared. Other contents that are larger are compared by their bytes. */
const MAX_READ_BYTES = 2 ** 20;

/**
 * The print of the content of a scrape.
 * @param ofScrape is closed: ways that hold large pages would wait in vain for the memory to read them
 * @returns null: there is no content, or it could not be read
 */
async function printOf(
  { pipeline, memory }: RunWaysDeps,
  { scrape, answerJson }: AnsweredScrape,
  signal: AbortSignal,
  ofScrape: MemoryReservation,
): Promise<ContentPrint | null> {
  const { delivered, task } = scrape;
  const content = delivered?.content ?? null;
  if (delivered === null || content === null || content.bytes.length === 0) return null;
  const { encoding } = content;
  if (encoding === 'base64' && content.bytes.length > MAX_READ_BYTES)
    return await contentPrint(null, content.bytes);
  const bytes = Uint8Array.from(content.bytes.subarray(0, MAX_READ_BYTES));
  ofScrape.close();
  const reservation = memory.open();
  reservation.countUnreserved(bytes.length);
  try {
    const { finalUrl, ...facts } = contentFacts({ answerJson });
    const scripting = delivered.page.contentTypeOverride !== undefined && task.options.javascript;
    const page = { bytes, encoding, ...facts, url: finalUrl ?? task.url, scripting };
    const options = { ...TEXT_OF_MAIN_CONTENT, mainContent: task.options.mainContent };
    const reading = await pipeline.read(page, options, signal, reservation, task.timeoutMs);
    if (reading === null || reading === 'out of memory') return null;
    const text: unknown = JSON.parse(reading.data.find(([name]) => name === 'text')?.[1] ?? 'null');
    return await contentPrint(typeof text === 'string' ? text : null, bytes);
  } finally {
    reservation.close();
  }
}

const TEXT_OF_MAIN_CONTENT = {
  formats: ['text'],
  onlyMainContent: true,
  extract: null,
  markdown: null,
  json: null,
} as const;
