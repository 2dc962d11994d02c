import type { MemoryReservation } from '../base/memory-budget.ts';
import { type Deadline, deadlineUnder } from '../base/time.ts';
import { FAILURES, type FailureCode } from '../domain/failure.ts';
import type { LinkSource } from '../domain/found-links.ts';
import { DEFAULT_PROXY_OPTIONS, type ProxyOptions } from '../domain/proxy.ts';
import { POOLED_TYPES, type ProxyType, type Task } from '../domain/task.ts';
import type { UrlCheck } from '../domain/url-check.ts';
import type { Proxies, UsedExit } from '../ports/proxies.ts';
import { type AttemptDeps, runAttempt } from './attempt.ts';
import type { AttemptResult } from './attempt-result.ts';

/** What a fetch beside a scrape takes from it. */
export interface BesideRequest {
  readonly task: Task;
  readonly proxyType: ProxyType;
  readonly deadline: Deadline;
  /** Why a URL must not be requested; null: every URL may. */
  readonly allowUrl: UrlCheck | null;
  readonly reservation: MemoryReservation;
  readonly userId: string;
}

interface BesideFile {
  readonly url: string;
  readonly maxContentBytes: number;
  readonly maxRedirects: number;
  readonly finds: LinkSource | null;
  /** Why it is fetched, for the trace. */
  readonly reason: string;
}

/** Exits that are tried: one of a pool may be dead. */
const MAX_EXITS = 4;

/**
 * Fetches a file that helps a scrape, such as robots.txt, by plain HTTP and, if possible, the same proxy type. If an exit of a
 * pool fails, the next one is tried, as attempts do, within half of the remaining time. Of the caller's headers only the
 * User-Agent is sent. The fetches are not listed in the attempts of the scrape, and nothing is learned from them.
 * @param read reads the result; the content is freed when it returns
 */
export async function fetchBeside<T>(
  deps: AttemptDeps,
  request: BesideRequest,
  file: BesideFile,
  read: (result: AttemptResult) => T,
): Promise<T> {
  const { task, deadline, reservation } = request;
  const exit = exitBeside(deps.proxies, task, request.proxyType);
  const isPool = exit.proxyType !== 'custom' && deps.proxies.price(exit.proxyType, exit.proxy) !== 'direct';
  using ownDeadline = isPool ? deadlineUnder(deadline.remaining() / 2, deadline.signal) : null;
  const used: UsedExit[] = [];
  for (let n = 1; ; n++) {
    const result = await fetchOnce(deps, { ...request, deadline: ownDeadline ?? deadline }, file, exit, used);
    try {
      if (result.exit !== null) used.push(result.exit);
      const isLast = !isPool || n === MAX_EXITS || deadline.signal.aborted;
      if (isLast || !mayPassElsewhere(result)) return read(result);
    } finally {
      const content = result.delivered?.content ?? null;
      if (content !== null) reservation.free(content.bytes.buffer);
      // No memory is kept: what is needed has been read.
      reservation.retain(0);
    }
  }
}

/** Failures that another exit does not change. */
const NOT_OF_EXITS: ReadonlySet<FailureCode> = new Set([
  'timeout.total',
  'request.cancelled',
  'service.unavailable',
]);

/** Whether there is no file, or only a part of it, for a reason that may be the exit. */
function mayPassElsewhere({ delivered, errors }: AttemptResult): boolean {
  const cause = delivered === null ? errors[0] : delivered.page.cut;
  return cause != null && FAILURES[cause.code].retryable && !NOT_OF_EXITS.has(cause.code);
}

async function fetchOnce(
  deps: AttemptDeps,
  { task, deadline, allowUrl, reservation, userId }: BesideRequest,
  { reason, ...file }: BesideFile,
  { proxyType, proxy }: BesideExit,
  used: readonly UsedExit[],
): Promise<AttemptResult> {
  return await runAttempt(deps, {
    n: 0,
    task: besideTask({ ...task, proxy }, file),
    chosen: { step: { scraper: 'http', proxyType }, reason, pauseMs: 0, sharesTime: true },
    deadline,
    allowUrl,
    reservation,
    userId,
    used,
    document: null,
    clearance: null,
  });
}

interface BesideExit {
  readonly proxyType: ProxyType;
  readonly proxy: ProxyOptions;
}

/**
 * The exit for the file. A vendor has exits of its own, also of types and countries that the pools of this service lack.
 * Then the file is fetched by any exit that there is.
 */
function exitBeside(proxies: Proxies, { proxy }: Task, proxyType: ProxyType): BesideExit {
  if (proxies.refusal(proxyType, proxy) === null) return { proxyType, proxy };
  const any = POOLED_TYPES.find((type) => proxies.refusal(type, DEFAULT_PROXY_OPTIONS) === null);
  return any === undefined ? { proxyType, proxy } : { proxyType: any, proxy: DEFAULT_PROXY_OPTIONS };
}

function besideTask(
  task: Task,
  { url, maxContentBytes, maxRedirects, finds }: Omit<BesideFile, 'reason'>,
): Task {
  return {
    ...task,
    url,
    host: new URL(url).hostname,
    method: 'GET',
    headers: task.headers.filter(([name]) => name.toLowerCase() === 'user-agent'),
    cookies: [],
    body: null,
    allowRedirects: true,
    requested: [],
    scraper: 'http',
    options: {
      ...task.options,
      maxContentBytes,
      maxRedirects,
      contentEncoding: 'auto',
      formats: [],
      extract: null,
      markdown: null,
      json: null,
      onlyMainContent: false,
      mainContent: { include: [], exclude: [], commonBlocks: null, linksFrom: 'content' },
    },
    router: { ...task.router, accept: null },
    finds,
  };
}
