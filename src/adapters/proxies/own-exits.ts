import { createHash } from 'node:crypto';
import { WARNINGS } from '../../domain/failure.ts';
import type { ExitPrice } from '../../domain/prices.ts';
import type { ProxyAsk } from '../../domain/proxy-ask.ts';
import type { Upstream } from '../../domain/upstream.ts';
import type { Lease } from '../../ports/proxies.ts';

const NOTHING_TO_DO = { report: () => {}, release: () => {} };

/** This host's own connection, because there is no pool. */
export const DIRECT: Lease = Object.freeze({
  proxyType: 'datacenter',
  country: null,
  exit: 'direct',
  upstream: null,
  price: null,
  warnings: [{ code: 'proxy.direct', message: WARNINGS['proxy.direct'] }] as const,
  ...NOTHING_TO_DO,
});

/** This host's own connection, because the caller wants no proxy. */
export const NO_PROXY: Lease = Object.freeze({ ...DIRECT, proxyType: 'none', warnings: [] });

/** What the exits of a caller take is the caller's. */
export const CUSTOM_PRICE: ExitPrice = Object.freeze({ perRequest: 0, perGb: 0 });

/** The proxy that the caller brought. Its bytes are not ours to pay. */
export function customLease({ server, bypass }: ProxyAsk): Lease {
  const upstream = { ...server!, bypass };
  return {
    proxyType: 'custom',
    country: null,
    exit: `custom ${exitKey(upstream)}`,
    upstream,
    price: CUSTOM_PRICE,
    warnings: [],
    ...NOTHING_TO_DO,
  };
}

/** Tells servers apart, and credentials of one server; nothing can be learned from it. */
export function exitKey({ kind, host, port, credentials, bypass }: Upstream): string {
  const secret = credentials?.read() ?? null;
  const text = JSON.stringify([kind, host, port, secret?.username, secret?.password, bypass]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
