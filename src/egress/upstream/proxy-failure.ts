import { type Failure, failure } from '../../domain/failure.ts';
import type { ProxyReason, Upstream } from '../../domain/proxy.ts';
import { connectFailure } from '../connect-failure.ts';

/**
 * A failure of the proxy, not of the target.
 * @param stage `proxy`: the proxy itself cannot be used; `tunnel`: it works, but did not connect to this target
 */
export function proxyFailure(reason: ProxyReason, stage: 'proxy' | 'tunnel', message: string): Failure {
  return failure('proxy.failed', message, { details: { reason, stage } });
}

/** Translates a failed connection to the proxy into a failure of the proxy. null: the failure stays as it is. */
export function proxyConnectFailure({ code, details }: Failure, { checkAddress }: Upstream): Failure | null {
  switch (code) {
    case 'policy.address':
      // Without `checkAddress` only the listeners of this service are refused.
      return checkAddress
        ? null
        : proxyFailure('refused', 'proxy', 'The address of the proxy belongs to this service.');
    case 'dns.not_found':
    case 'dns.failed':
      return proxyFailure('dns', 'proxy', 'The host name of the proxy cannot be resolved.');
    case 'connect.refused':
      return proxyFailure('refused', 'proxy', 'The proxy refused the connection.');
    case 'connect.unreachable':
      return proxyFailure('refused', 'proxy', 'There is no route to the proxy.');
    case 'connect.timeout':
      return proxyFailure('timeout', 'proxy', 'The proxy did not respond.');
    case 'connect.reset':
      return proxyFailure('protocol', 'proxy', 'The proxy closed the connection while it was being opened.');
    case 'tls.invalid':
      return proxyFailure(
        'protocol',
        'proxy',
        `The TLS connection to the proxy is not valid (${details?.reason ?? 'other'}).`,
      );
    default:
      return null;
  }
}

/** The head of a response that came through a proxy; names are lower-case. */
export interface ProxyResponseHead {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The errors of `Proxy-Status` (RFC 9209 §2.3) that report the state of the target, with the errno that means the same. */
const TARGET_ERRORS: Readonly<Record<string, string>> = {
  connection_refused: 'ECONNREFUSED',
  connection_terminated: 'ECONNRESET',
  connection_timeout: 'ETIMEDOUT',
  destination_ip_unroutable: 'EHOSTUNREACH',
};
/** The error numbers of Linux, which squid reports. */
const ERRNO_NAMES: Readonly<Record<string, string>> = {
  104: 'ECONNRESET',
  110: 'ETIMEDOUT',
  111: 'ECONNREFUSED',
  113: 'EHOSTUNREACH',
  101: 'ENETUNREACH',
};

/**
 * The failure that a proxy reports in a response of its own. It is recognised by status 407, by `X-Squid-Error` (squid), by
 * `Proxy-Status` (RFC 9209), or by the `Server` of tinyproxy. null: the response may be the target's.
 * @param target `host:port`
 */
export function failureFromProxy({ status, headers }: ProxyResponseHead, target: string): Failure | null {
  // Stage `tunnel`: a target can send a 407, too, and must not be able to put an exit out of service.
  if (status === 407) return credentialsRejected(status, 'tunnel');
  if (status < 400) return null;
  const squid = fieldValue(headers, 'x-squid-error');
  if (squid !== null) return squidFailure(squid, target);
  const proxyStatus = fieldValue(headers, 'proxy-status');
  const error = proxyStatus === null ? null : /;\s*error\s*=\s*"?([a-z_]+)/i.exec(proxyStatus);
  if (error !== null) return proxyStatusFailure(error[1]!.toLowerCase(), target);
  if (/^tinyproxy\b/i.test(fieldValue(headers, 'server') ?? '')) return failureOfStatus(status, target);
  return null;
}

/** Why a proxy refused CONNECT. */
export function tunnelRefusal(head: ProxyResponseHead, target: string): Failure {
  if (head.status === 407) return credentialsRejected(head.status, 'proxy');
  return failureFromProxy(head, target) ?? failureOfStatus(head.status, target);
}

function credentialsRejected(status: number, stage: 'proxy' | 'tunnel'): Failure {
  return proxyFailure('auth', stage, `The proxy rejected the credentials (${status}).`);
}

function failureOfStatus(status: number, target: string): Failure {
  // tinyproxy rejects credentials with 401.
  if (status === 401) return credentialsRejected(status, 'proxy');
  if (status === 504 || status === 408)
    return proxyFailure('timeout', 'tunnel', `The proxy did not reach ${target} in time (${status}).`);
  return proxyFailure('refused', 'tunnel', `The proxy could not connect to ${target} (${status}).`);
}

/** @param value of `X-Squid-Error`: the name of an error, and an errno such as 111 */
function squidFailure(value: string, target: string): Failure {
  const [name, errno] = value.split(/\s+/);
  switch (name) {
    case 'ERR_DNS_FAIL':
      return proxyFailure('dns', 'tunnel', `The proxy cannot resolve ${target}.`);
    case 'ERR_CONNECT_FAIL':
      return connectFailure(ERRNO_NAMES[errno ?? ''] ?? 'ECONNREFUSED', target);
    case 'ERR_READ_ERROR':
    case 'ERR_ZERO_SIZE_OBJECT':
      return failure('connect.reset', `${target} closed the connection without a response.`);
    case 'ERR_INVALID_RESP':
      return failure('http.protocol', 'The proxy reports that the response of the target is not HTTP.');
    case 'ERR_READ_TIMEOUT':
      return proxyFailure('timeout', 'tunnel', `The proxy received no response from ${target} in time.`);
    default:
      return proxyFailure('refused', 'tunnel', `The proxy refuses ${target}.`);
  }
}

function proxyStatusFailure(error: string, target: string): Failure {
  const errno = TARGET_ERRORS[error];
  if (errno !== undefined) return connectFailure(errno, target);
  if (error.startsWith('dns_')) return proxyFailure('dns', 'tunnel', `The proxy cannot resolve ${target}.`);
  if (error.endsWith('_timeout'))
    return proxyFailure('timeout', 'tunnel', `The proxy did not reach ${target} in time.`);
  return proxyFailure('refused', 'tunnel', `The proxy could not connect to ${target} (${error}).`);
}

function fieldValue(headers: ProxyResponseHead['headers'], name: string): string | null {
  return headers.find(([fieldName]) => fieldName === name)?.[1] ?? null;
}
