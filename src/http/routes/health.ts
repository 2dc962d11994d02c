import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { failure } from '../../domain/failure.ts';
import type { Metrics } from '../../observe/metrics.ts';
import type { BrowserMonitor } from '../../ports/scraper.ts';
import { readinessJson } from '../../wire/readiness-json.ts';
import { Refusal } from '../refusal.ts';

export interface HealthParts {
  /** Resolves when work can be done; rejects with the reason when not. */
  readonly ready: () => Promise<void>;
  readonly browsers: Pick<BrowserMonitor, 'state'>;
  readonly metrics: Metrics;
  readonly metricsToken: string | null;
}

/** For supervisors and monitoring; without a key, and not counted. */
export function healthRoutes(app: FastifyInstance, parts: HealthParts): void {
  app.get('/healthz', async () => ({ status: 'ok' }));

  app.get('/readyz', async () => {
    try {
      await parts.ready();
    } catch (error) {
      throw new Refusal([failure('service.unavailable', `Not ready: ${(error as Error).message}.`)]);
    }
    return readinessJson(parts.browsers.state());
  });

  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, parts.metricsToken)) {
      // From elsewhere it is as if it were not there.
      throw new Refusal([failure('request.not_found', 'There is nothing at /metrics.')]);
    }
    reply.header('content-type', parts.metrics.contentType);
    return parts.metrics.text();
  });
}

/** From this host, or with the token. Behind a trusted proxy `ip` is the caller's, not the proxy's. */
function mayRead(request: FastifyRequest, token: string | null): boolean {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token !== null && given !== undefined) {
    const [a, b] = [Buffer.from(given), Buffer.from(token)];
    return a.length === b.length && timingSafeEqual(a, b);
  }
  // A proxy on this host that is not told to be trusted would make the whole world "loopback".
  const forwarded = request.headers['x-forwarded-for'] ?? request.headers.forwarded;
  return (
    /^(?:127\.|::1$|::ffff:127\.)/.test(request.ip) && (forwarded === undefined || request.ips !== undefined)
  );
}
