import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../base/time.ts';
import type { SystemFacts } from '../../domain/system.ts';
import type { Permits } from '../../ports/permits.ts';
import { systemObject } from '../../wire/system.ts';
import { type AdmissionControl, admissionHook } from '../access.ts';

export interface SystemRouteParts {
  readonly gate: AdmissionControl;
  readonly permits: Permits;
  readonly clock: Clock;
  readonly system: () => SystemFacts;
  /** Of users without a number of their own. */
  readonly defaultConcurrency: number;
}

/** How the service is doing, for administrators (contract §9). */
export function systemRoute(app: FastifyInstance, parts: SystemRouteParts): void {
  const { gate, permits, clock, system, defaultConcurrency } = parts;
  const onRequest = admissionHook(gate, { scope: 'admin', adminOnly: true });
  app.get('/api/v1/system', { onRequest }, async (_, reply) => {
    reply.header('cache-control', 'no-store');
    const inFlight = await permits.inUse(null);
    return systemObject(system(), clock.now(), { inFlight, defaultLimit: defaultConcurrency });
  });
}
