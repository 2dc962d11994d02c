import { type Failure, failure, WARNINGS } from '../../domain/failure.ts';
import type { ProxyType } from '../../domain/job.ts';
import type { Lease, Proxies } from '../../ports/proxies.ts';

/**
 * No pools: `datacenter` is this host's own connection, said as a warning; everything else is refused with its code.
 * @param allowDirect whether scrapes may leave from the own address at all
 */
export function createDirectProxies(options: { readonly allowDirect: boolean }): Proxies {
  const direct: Lease = Object.freeze({
    proxyType: 'datacenter',
    country: null,
    exit: 'direct',
    warnings: [{ code: 'proxy.direct', message: WARNINGS['proxy.direct'] }] as const,
    release: () => {},
  });
  const refusal = (type: ProxyType): Failure | null => {
    if (type === 'datacenter' && options.allowDirect) return null;
    if (type === 'none' || type === 'custom')
      return failure('proxy.forbidden', `The operator does not allow the proxy type "${type}" here.`, {
        pointer: '/proxy',
      });
    return failure('proxy.pool_unconfigured', `No pool of the proxy type "${type}" is configured.`, {
      pointer: '/proxy',
    });
  };
  return { refusal, lease: (type) => refusal(type) ?? direct };
}
