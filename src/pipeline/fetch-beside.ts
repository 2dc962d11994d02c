import type { MemoryReservation } from '../base/memory-budget.ts';
import type { Deadline } from '../base/time.ts';
import type { LinkSource } from '../domain/found-links.ts';
import { DEFAULT_PROXY_OPTIONS, type ProxyOptions } from '../domain/proxy.ts';
import { POOLED_TYPES, type ProxyType, type Task } from '../domain/task.ts';
import type { UrlCheck } from '../domain/url-check.ts';
import type { Proxies } from '../ports/proxies.ts';
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

/**
 * Fetches a file that helps a scrape, such as robots.txt, by plain HTTP and, if possible, the same proxy type. Of the
 * caller's headers only the User-Agent is sent. The fetch is not listed in the attempts of the scrape, and nothing is learned from it.
 * @param read reads the result; the content is freed when it returns
 */
export async function fetchBeside<T>(
  deps: AttemptDeps,
  { task, proxyType: wanted, deadline, allowUrl, reservation, userId }: BesideRequest,
  { reason, ...file }: BesideFile,
  read: (result: AttemptResult) => T,
): Promise<T> {
  const { proxyType, proxy } = exitBeside(deps.proxies, task, wanted);
  let result: AttemptResult | null = null;
  try {
    result = await runAttempt(deps, {
      n: 0,
      task: besideTask({ ...task, proxy }, file),
      chosen: { step: { scraper: 'http', proxyType }, reason, pauseMs: 0, sharesTime: true },
      deadline,
      allowUrl,
      reservation,
      userId,
      used: [],
      document: null,
      clearance: null,
    });
    return read(result);
  } finally {
    const content = result?.delivered?.content ?? null;
    if (content !== null) reservation.free(content.bytes.buffer);
    // No memory is kept: what is needed has been read.
    reservation.retain(0);
  }
}

/**
 * The exit for the file. A vendor has exits of its own, also of types and countries that the pools of this service lack.
 * Then the file is fetched by any exit that there is.
 */
function exitBeside(
  proxies: Proxies,
  { proxy }: Task,
  proxyType: ProxyType,
): { readonly proxyType: ProxyType; readonly proxy: ProxyOptions } {
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
      mainContent: { include: [], exclude: [], commonBlocks: null },
    },
    router: { ...task.router, accept: null },
    finds,
  };
}
