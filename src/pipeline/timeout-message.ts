import type { Failure } from '../domain/failure.ts';
import type { FetchResult } from '../domain/fetch-result.ts';
import type { Step } from '../domain/scrape.ts';
import { isBrowser, isVendor } from '../domain/scrapers.ts';
import type { Task } from '../domain/task.ts';

/** See `AttemptFacts`. */
interface TimedAttempt {
  readonly task: Pick<Task, 'host' | 'url'>;
  readonly chosen: { readonly step: Step };
  readonly durationMs: number;
  readonly waitedMs: number;
  readonly exit: string | null;
}

/** What an attempt waited for when its time was up: `details.phase` of `timeout.total` and `timeout.attempt`. */
type TimeoutPhase =
  | 'dns'
  | 'connect'
  | 'proxy'
  | 'tls'
  | 'browser'
  | 'response'
  | 'redirect'
  | 'body'
  | 'page'
  | 'vendor'
  | 'worker';

const WAITED_FOR: Readonly<Record<TimeoutPhase, (host: string) => string>> = {
  dns: (host) => `the name server had not answered for ${host}`,
  connect: (host) => `${host} had not accepted a connection`,
  proxy: (host) => `the proxy had not connected to ${host}`,
  tls: (host) => `the TLS handshake with ${host} had not ended`,
  browser: (host) => `the browser had not got a response from ${host}`,
  response: () => 'the server accepted the connection, but sent no response',
  redirect: () => 'the page that it redirects to had not answered',
  body: () => 'the response had begun, but its body had not ended',
  page: () => 'the response was received, but the browser had not read the page',
  vendor: () => 'the vendor had not answered',
  worker: () => 'the worker with the browser had not answered',
};

/**
 * A timeout that says after how long, in which phase, and what it waited for. Other failures stay as they are.
 * @param isCut whether a part of the body was received, which is delivered
 */
export function toldTimeout(
  cause: Failure,
  facts: TimedAttempt,
  fetched: FetchResult,
  isCut = false,
): Failure {
  if (cause.code !== 'timeout.total' && cause.code !== 'timeout.attempt') return cause;
  const ms = facts.durationMs - facts.waitedMs - (fetched.queuedMs ?? 0);
  const phase = isCut ? 'body' : phaseOf(cause, facts, fetched, ms);
  const seconds = (ms / 1000).toFixed(1);
  const what = WAITED_FOR[phase](facts.task.host);
  const message =
    cause.code === 'timeout.total'
      ? `Timed out after ${seconds} s: ${what}.`
      : `The attempt timed out after ${seconds} s, its share of the time: ${what}.`;
  return { ...cause, message, details: { ...cause.details, phase } };
}

/** A name server that took this share of the time left none for connecting. */
const DNS_SHARE = 0.9;

function phaseOf(
  { details }: Failure,
  { task, chosen: { step }, exit }: TimedAttempt,
  { timing, sent, redirects, ...fetched }: FetchResult,
  ms: number,
): TimeoutPhase {
  // Who knows better has said so.
  if (details?.phase !== undefined) return details.phase as TimeoutPhase;
  if (isVendor(step.scraper)) return 'vendor';
  const status = fetched.page === null ? fetched.statusCode : null;
  if (status !== null && status !== redirects.at(-1)?.statusCode)
    return isBrowser(step.scraper) ? 'page' : 'body';
  if (redirects.length > 0) return 'redirect';
  const secure = new URL(task.url).protocol === 'https:';
  // A client that does not know whether it has sent the request says that it has.
  if (sent) return secure && timing.connect !== null && timing.tls === null ? 'tls' : 'response';
  // A browser connects by itself: what its attempts have not reached is not known before the connection ended.
  if (isBrowser(step.scraper)) return 'browser';
  if (exit !== null && exit !== 'direct') return 'proxy';
  // The name server may have taken all of the time; `timing.dns` is null for addresses and names that are known.
  if (timing.connect === null) return (timing.dns ?? 0) > ms * DNS_SHARE ? 'dns' : 'connect';
  // After the handshake, the request is sent at once.
  return secure ? 'tls' : 'response';
}
