import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { SHUTDOWN } from '../../base/time.ts';
import { DIALECTS } from '../../dialects/dialects.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import { createLinkUrlOf, type LinkUrlOf, linkKeyOf } from '../../wire/answer/signed-links.ts';
import type { AdmissionControl } from '../core/access.ts';
import type { EndpointDeps, HttpDeps } from '../core/deps.ts';
import { Refusal } from '../core/refusal.ts';
import { basePathOf } from '../docs/dashboard-pages.ts';
import { type DocsPages, makeDocsPages } from '../docs/docs-pages.ts';
import type { DocsSite } from '../docs/docs-site.ts';
import { HEALTH } from '../endpoints/health.ts';
import { callApiOf } from './call-api.ts';
import { compressForDashboard } from './compress-json.ts';
import { registerDashboard } from './dashboard.ts';
import { apiDocument, ENDPOINTS } from './endpoints.ts';
import { registerMcp } from './mcp.ts';
import { createServer } from './server.ts';

export interface HttpService {
  readonly baseUrl: () => string;
  readonly linkUrl: LinkUrlOf;
  /** Starts to listen. @returns the actual port, which the system chooses if `port` is 0 */
  listen(host: string, port: number): Promise<{ readonly port: number; readonly baseUrl: string }>;
  /** From now on `/readyz` says 503, and connections are closed after their response. Requests are still accepted. */
  announceEnd(): void;
  /** Refuses new requests with 503. Resolves when no scrape runs; after `ms` it aborts the scrapes that still run. */
  drain(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Time that the scrapes aborted by `drain` have for storing their records and sending their responses. */
const ABORT_GRACE_MS = 2_000;

export async function createHttp(options: HttpDeps): Promise<HttpService> {
  let port = 0;
  let isEnding = false;
  let draining = false;
  const baseUrl = () => options.baseUrl(port);
  const { inFlight } = options;
  const control: AdmissionControl = {
    accounts: options.accounts,
    permits: options.permits,
    unavailable: () => (draining ? shuttingDownRefusal() : null),
    origin: options.origin,
    baseUrl,
  };
  const linkKey = linkKeyOf(options.secret);
  const linkUrl = createLinkUrlOf({
    key: linkKey,
    baseUrl,
    ttlMs: options.screenshotMs,
    now: options.clock.now,
  });
  let openapi: string | null = null;
  let docsPages: Promise<DocsPages> | null = null;
  let docsSite: Promise<DocsSite> | null = null;
  const deps: EndpointDeps = {
    ...options,
    // They change while the service runs.
    get prices() {
      return options.currentPrices.current();
    },
    control,
    baseUrl,
    linkKey,
    linkUrl,
    ready: async () => {
      if (isEnding || draining) throw new Error('the service is shutting down');
      const problem = options.replicas?.problem() ?? null;
      if (problem !== null) throw new Error(problem);
      await options.health.check();
    },
    openapiText: () =>
      (openapi ??= JSON.stringify(apiDocument({ baseUrl: baseUrl(), version: options.version }))),
    // Made only once, at the first request: the script alone has 4 MB.
    docsPages: () => (docsPages ??= makeDocsPages(basePathOf(baseUrl()))),
    docsSite: () =>
      (docsSite ??= import('../docs/docs-site.ts').then(({ makeDocsSite }) =>
        makeDocsSite({ baseUrl: baseUrl(), hasDashboard: options.dashboard !== null }),
      )),
  };
  const app = await createServer({ ...options, baseUrl });
  // A load balancer must not reuse a connection that is about to end.
  app.addHook('onSend', async (_request, reply) => {
    if (isEnding) reply.header('connection', 'close');
  });
  compressForDashboard(app);
  if (options.role === 'worker') for (const { register } of HEALTH) register(app, deps);
  else registerAll(app, deps);
  return {
    baseUrl,
    linkUrl,
    async listen(host, requestedPort) {
      await app.listen({ host, port: requestedPort });
      for (const address of app.addresses() as AddressInfo[])
        options.onListening(address.address, address.port);
      port = (app.addresses()[0] as AddressInfo).port;
      return { port, baseUrl: baseUrl() };
    },
    announceEnd() {
      isEnding = true;
    },
    async drain(ms) {
      draining = true;
      await inFlight.idle(ms);
      inFlight.abort(SHUTDOWN);
      await inFlight.idle(ABORT_GRACE_MS);
    },
    async close() {
      const closed = app.close();
      // `drain` has finished all scrapes. Connections that are not idle now are still sending a request, which is dropped.
      app.server.closeAllConnections();
      await closed;
    },
  };
}

function registerAll(app: FastifyInstance, deps: EndpointDeps): void {
  for (const { register } of ENDPOINTS) register(app, deps);
  const callApi = callApiOf(app);
  const refusal = (cause: Failure) => new Refusal([cause]);
  for (const name of deps.dialects)
    DIALECTS[name](app, { callApi, baseUrl: deps.baseUrl, refusal, hasModel: deps.hasModel });
  registerMcp(app, { ...deps, callApi });
  if (deps.dashboard !== null) registerDashboard(app, { dashboard: deps.dashboard, baseUrl: deps.baseUrl });
}

const shuttingDownRefusal = (): Refusal =>
  new Refusal([failure('service.unavailable', 'The service is shutting down.')], {
    headers: { connection: 'close' },
  });
