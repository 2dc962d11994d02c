import type { FastifyInstance } from 'fastify';
import { EFFORT, type Prices } from '../../domain/prices.ts';
import type { ProxyPools } from '../../ports/proxies.ts';
import { choicesObject, proxiesObject } from '../../wire/proxies-json.ts';
import { admission, type Gate } from '../admission.ts';

export interface ProxyRouteParts {
  readonly gate: Gate;
  readonly proxyPools: ProxyPools;
  readonly prices: Prices | null;
}

/** The pools: all of them for administrators, what may be asked for for those who scrape. */
export function proxyRoutes(app: FastifyInstance, { gate, proxyPools, prices }: ProxyRouteParts): void {
  const admin = { onRequest: admission(gate, { scope: 'admin', adminOnly: true }) };
  app.get('/api/v1/proxies', admin, async () =>
    proxiesObject(proxyPools.state(), proxyPools.file(), prices?.currency ?? EFFORT),
  );
  app.get('/api/v1/proxies/choices', { onRequest: admission(gate, { scope: 'read' }) }, async () =>
    choicesObject(proxyPools.state()),
  );
}
