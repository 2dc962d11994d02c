import { type Failure, failure } from '../../domain/failure.ts';
import type { ProxyType } from '../../domain/job.ts';
import type { ProxyAsk } from '../../domain/proxy-ask.ts';
import type { Proxies } from '../../ports/proxies.ts';
import { customLease, DIRECT } from './own-exits.ts';

/**
 * No pools: `datacenter` is this host's own connection, said as a warning; a caller may bring a proxy; everything else is
 * refused with its code.
 * @param allowDirect whether scrapes may leave from the own address at all
 */
export function createDirectProxies({ allowDirect }: { readonly allowDirect: boolean }): Proxies {
  const refusal = (type: ProxyType, proxy: ProxyAsk): Failure | null => {
    const refused = (code: Failure['code'], message: string, pointer: string) =>
      failure(code, message, { pointer });
    if (proxy.bypass.length > 0 && !allowDirect)
      return refused(
        'proxy.forbidden',
        'The operator does not allow connections without a proxy.',
        '/proxy/bypass',
      );
    if (type === 'custom') return null;
    if (type === 'none')
      return refused('proxy.forbidden', 'The operator does not allow the proxy type "none" here.', '/proxy');
    if (proxy.pool !== null)
      return refused('proxy.pool_unconfigured', 'There is no pool of this name.', '/proxy/pool');
    if (type !== 'datacenter' || !allowDirect)
      return refused(
        'proxy.pool_unconfigured',
        `No pool of the proxy type "${type}" is configured.`,
        '/proxy',
      );
    for (const name of ['country', 'region', 'city'] as const)
      if (proxy[name] !== null)
        return refused(
          'proxy.country_unavailable',
          'No pool of the proxy type "datacenter" is configured, so no place can be chosen.',
          `/proxy/${name}`,
        );
    return null;
  };
  return {
    refusal,
    lease: ({ type, proxy }) => refusal(type, proxy) ?? (type === 'custom' ? customLease(proxy) : DIRECT),
  };
}
