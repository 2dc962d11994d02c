import { type Failure, failure } from '../../domain/failure.ts';
import { connectFailure } from '../connect-failure.ts';
import { proxyFailed } from './proxy-failure.ts';

/** A head that came through a proxy; names lower-case. */
export interface ProxyHead {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Errors of RFC 9209 §2.3 that are the target's, and ours for them. */
const TARGETS: Readonly<Record<string, string>> = {
  connection_refused: 'ECONNREFUSED',
  connection_terminated: 'ECONNRESET',
  connection_timeout: 'ETIMEDOUT',
  destination_ip_unroutable: 'EHOSTUNREACH',
};
const ERRNO: Readonly<Record<string, string>> = {
  104: 'ECONNRESET',
  110: 'ETIMEDOUT',
  111: 'ECONNREFUSED',
  113: 'EHOSTUNREACH',
  101: 'ENETUNREACH',
};

/**
 * What a proxy says of itself, or of the target, in an answer of its own; null: nothing, so the answer may be the
 * target's. Read are 407, `X-Squid-Error` (squid) and `Proxy-Status` (RFC 9209), and what tinyproxy signs.
 * @param target `host:port`
 */
export function ownWord({ status, headers }: ProxyHead, target: string): Failure | null {
  // A target may say so in the proxy's place: that alone must not put an exit out of service that others use, too.
  if (status === 407) return denied(status, 'tunnel');
  if (status < 400) return null;
  const squid = fieldOf(headers, 'x-squid-error');
  if (squid !== null) return squidError(squid, target);
  const said = fieldOf(headers, 'proxy-status');
  const error = said === null ? null : /;\s*error\s*=\s*"?([a-z_]+)/i.exec(said);
  if (error !== null) return statusError(error[1]!.toLowerCase(), target);
  if (/^tinyproxy\b/i.test(fieldOf(headers, 'server') ?? '')) return byStatus(status, target);
  return null;
}

/** Why a proxy gave no tunnel. */
export function tunnelRefused(head: ProxyHead, target: string): Failure {
  if (head.status === 407) return denied(head.status, 'proxy');
  return ownWord(head, target) ?? byStatus(head.status, target);
}

function denied(status: number, stage: 'proxy' | 'tunnel'): Failure {
  return proxyFailed('auth', stage, `The proxy rejected the credentials (${status}).`);
}

function byStatus(status: number, target: string): Failure {
  // tinyproxy says so of wrong credentials.
  if (status === 401) return denied(status, 'proxy');
  if (status === 504 || status === 408)
    return proxyFailed('timeout', 'tunnel', `The proxy did not reach ${target} in time (${status}).`);
  return proxyFailed('refused', 'tunnel', `The proxy could not connect to ${target} (${status}).`);
}

function squidError(value: string, target: string): Failure {
  const [name, number] = value.split(/\s+/);
  switch (name) {
    case 'ERR_DNS_FAIL':
      return proxyFailed('dns', 'tunnel', `The proxy cannot resolve ${target}.`);
    case 'ERR_CONNECT_FAIL':
      return connectFailure(ERRNO[number ?? ''] ?? 'ECONNREFUSED', target);
    case 'ERR_READ_ERROR':
    case 'ERR_ZERO_SIZE_OBJECT':
      return failure('connect.reset', `${target} closed the connection without a response.`);
    case 'ERR_INVALID_RESP':
      return failure('http.protocol', 'The proxy reports that the response of the target is not HTTP.');
    case 'ERR_READ_TIMEOUT':
      return proxyFailed('timeout', 'tunnel', `The proxy received no response from ${target} in time.`);
    default:
      return proxyFailed('refused', 'tunnel', `The proxy refuses ${target}.`);
  }
}

function statusError(error: string, target: string): Failure {
  const errno = TARGETS[error];
  if (errno !== undefined) return connectFailure(errno, target);
  if (error.startsWith('dns_')) return proxyFailed('dns', 'tunnel', `The proxy cannot resolve ${target}.`);
  if (error.endsWith('_timeout'))
    return proxyFailed('timeout', 'tunnel', `The proxy did not reach ${target} in time.`);
  return proxyFailed('refused', 'tunnel', `The proxy could not connect to ${target} (${error}).`);
}

function fieldOf(headers: ProxyHead['headers'], name: string): string | null {
  return headers.find(([one]) => one === name)?.[1] ?? null;
}
