import { type Failure, failure } from '../../domain/failure.ts';
import type { ProxyReason, Upstream } from '../../domain/upstream.ts';

/**
 * A failure of the proxy and not of the target. `stage` tells how sure that is: `proxy`, the server itself cannot be
 * used; `tunnel`, it works, and did not get on with this target.
 */
export function proxyFailed(reason: ProxyReason, stage: 'proxy' | 'tunnel', message: string): Failure {
  return failure('proxy.failed', message, { details: { reason, stage } });
}

/** Why the proxy server cannot be connected to, from what connecting to it gave. Our own lack of room stays ours. */
export function unreachableProxy({ code, details }: Failure, { judged }: Upstream): Failure | null {
  switch (code) {
    case 'policy.address':
      return judged
        ? null
        : proxyFailed('refused', 'proxy', 'The address of the proxy belongs to this service.');
    case 'dns.not_found':
    case 'dns.failed':
      return proxyFailed('dns', 'proxy', 'The host name of the proxy cannot be resolved.');
    case 'connect.refused':
      return proxyFailed('refused', 'proxy', 'The proxy refused the connection.');
    case 'connect.unreachable':
      return proxyFailed('refused', 'proxy', 'There is no route to the proxy.');
    case 'connect.timeout':
      return proxyFailed('timeout', 'proxy', 'The proxy did not respond.');
    case 'connect.reset':
      return proxyFailed('protocol', 'proxy', 'The proxy closed the connection while it was being opened.');
    case 'tls.invalid':
      return proxyFailed(
        'protocol',
        'proxy',
        `The TLS connection to the proxy is not valid (${details?.reason ?? 'other'}).`,
      );
    default:
      return null;
  }
}
