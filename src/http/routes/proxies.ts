import type { FastifyInstance } from 'fastify';
import { EFFORT_UNIT, type Prices } from '../../domain/cost.ts';
import type { ProxyPools } from '../../ports/proxies.ts';
import { choicesObject, proxiesObject } from '../../wire/proxies.ts';
import { type AdmissionControl, admissionHook } from '../access.ts';

export interface ProxyRouteParts {
  readonly gate: AdmissionControl;
  readonly proxyPools: ProxyPools;
  readonly prices: Prices | null;
}

/** The pools: all of them for administrators, what may be asked for for those who scrape. */
export function proxyRoutes(app: FastifyInstance, { gate, proxyPools, prices }: ProxyRouteParts): void {
  const admin = { onRequest: admissionHook(gate, { scope: 'admin', adminOnly: true }) };
  app.get('/api/v1/proxies', admin, async () =>
    proxiesObject(proxyPools.state(), proxyPools.file(), prices?.currency ?? EFFORT_UNIT),
  );
  app.get('/api/v1/proxies/choices', { onRequest: admissionHook(gate, { scope: 'read' }) }, async () =>
    choicesObject(proxyPools.state()),
  );
}
