import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { closed } from '../../domain/json-schema.ts';
import type { ReplicaRole } from '../../domain/replicas.ts';
import { type BrowserReadiness, READ_REPLICA_STATES, type ReadReplicaState } from '../../domain/system.ts';
import { endpoint } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { json, problem, text } from '../core/responses.ts';

const Health = Type.Object({ status: Type.String() }, { title: 'Health', additionalProperties: true });

const Readiness = closed({
  status: Type.Enum(['ok', 'degraded'], {
    description:
      '`degraded`: the browser does not start, the role is `api` and no worker runs, or large contents cannot be stored. The service still accepts requests.',
  }),
  role: Type.Enum(['all', 'api', 'worker'], { description: '`SLUICE_ROLE`.' }),
  browser: closed({
    state: Type.Enum(['ready', 'unknown', 'unavailable', 'down'], {
      description:
        '`unknown`: not checked yet. `unavailable`: this machine has no usable browser; `GET /api/v1/scrapers/` says why. `down`: a browser should start but does not. HTTP scrapers work in every case.',
    }),
    sandbox: Type.Enum(['on', 'off']),
  }),
  read_replica: Type.Optional(
    closed({
      state: Type.Enum([...READ_REPLICA_STATES], {
        description:
          'Of `SLUICE_DATABASE_READ_URL`; absent: it is not set. `down`: it does not answer, so the database itself is asked for lists and statistics.',
      }),
    }),
  ),
  warnings: Type.Array(Type.String(), { description: 'Messages for the operator.' }),
});

const NO_SANDBOX =
  'Browsers run without their sandbox (SLUICE_BROWSER_SANDBOX=off): a page that exploits the browser has the permissions of its user.';
const SMALL_SHM =
  'Browsers use files instead of shared memory, which is slower. Give /dev/shm 512 MB or more (shm_size).';
const NO_CONTENTS =
  'Contents over 256 KiB, screenshots and files can neither be stored nor read: S3 fails; the log says why.';
const NO_WORKER =
  'No worker with a browser runs (SLUICE_ROLE=worker), so scrapes that need a browser are refused.';
const NO_READ_REPLICA =
  'The read replica (SLUICE_DATABASE_READ_URL) does not answer, so the database itself is asked; the log says why.';
const STATE_WARNINGS: Readonly<Record<BrowserReadiness['state'], string | null>> = {
  ready: null,
  unknown: null,
  unavailable: 'No browser is available here; GET /api/v1/scrapers/ says why.',
  down: 'An installed browser does not start; the log says why.',
};

/** The body of `/readyz` while the service accepts requests. It names no paths, because it is public. */
function readinessJson(
  { state, sandbox, smallShm, outdatedDays }: BrowserReadiness,
  storesContents: boolean,
  role: ReplicaRole,
  readReplica: ReadReplicaState | null,
  ofReplicas: readonly string[],
): Static<typeof Readiness> {
  const lacksWorker = role === 'api' && state === 'unavailable';
  const outdatedBrowser =
    outdatedDays === null
      ? null
      : `The headless browser in use was built ${outdatedDays} days ago: update Sluice, or install chromium-headless-shell.`;
  const warnings = [
    sandbox === 'off' ? NO_SANDBOX : null,
    smallShm ? SMALL_SHM : null,
    outdatedBrowser,
    lacksWorker ? NO_WORKER : STATE_WARNINGS[state],
    storesContents ? null : NO_CONTENTS,
    readReplica === 'down' ? NO_READ_REPLICA : null,
    ...ofReplicas,
  ].filter((warning) => warning !== null);
  const isDegraded = state === 'down' || lacksWorker || !storesContents;
  return {
    status: isDegraded ? 'degraded' : 'ok',
    role,
    browser: { state, sandbox },
    ...(readReplica === null ? {} : { read_replica: { state: readReplica } }),
    warnings,
  };
}

/** Whether the caller has the token, or is on this machine. Behind a trusted proxy, `request.ip` is the caller's address. */
function mayReadMetrics(request: FastifyRequest, token: string | null): boolean {
  const sentToken = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token !== null && sentToken !== undefined) {
    const [a, b] = [Buffer.from(sentToken), Buffer.from(token)];
    return a.length === b.length && timingSafeEqual(a, b);
  }
  // Behind a proxy on this machine that is not configured as trusted, all callers have a loopback address. `request.ips` is
  // only set if the proxy is trusted.
  const forwarded = request.headers['x-forwarded-for'] ?? request.headers.forwarded;
  return (
    /^(?:127\.|::1$|::ffff:127\.)/.test(request.ip) && (forwarded === undefined || request.ips !== undefined)
  );
}

/** Endpoints for supervisors and monitoring: without a key, and not counted as requests of a user. */
const MONITORING = {
  method: 'get',
  access: 'public',
  ownResponsesOnly: true,
} as const;

export const HEALTH = [
  endpoint({
    ...MONITORING,
    path: '/healthz',
    operationId: 'getHealth',
    summary: 'Check that the process is running',
    responses: { 200: json('The process is running.', Health) },
    handler: () => ({ status: 'ok' }),
  }),
  endpoint({
    ...MONITORING,
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Check that the service accepts requests',
    description:
      'The service is ready without a browser too: HTTP scrapers keep working. While the data is migrated after an update, every path but `/healthz` is 503 with `details.reason` `migrating`.',
    responses: {
      200: json('The service accepts requests.', Readiness),
      503: problem('The service does not accept requests now.'),
    },
    handler: async (_call, { ready, browsers, health, role, readReplica, replicas }) => {
      try {
        await ready();
      } catch (error) {
        throw Refusal.of('service.unavailable', `Not ready: ${(error as Error).message}.`);
      }
      const storesContents = health.contentsProblem() === null;
      const ofReplicas = replicas?.warnings() ?? [];
      return readinessJson(browsers.state(), storesContents, role, readReplica(), ofReplicas);
    },
  }),
  endpoint({
    ...MONITORING,
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Metrics for Prometheus',
    description: 'Without `SLUICE_METRICS_TOKEN`, only for callers on the same machine.',
    responses: {
      200: text('The metrics.', 'text/plain'),
      404: problem('Not available to remote callers: `request.not_found`.'),
    },
    handler: async ({ request, reply }, { metrics, metricsToken }) => {
      // Other callers get the same response as for an unknown path.
      if (!mayReadMetrics(request, metricsToken))
        throw Refusal.of('request.not_found', 'There is nothing at /metrics.');
      return reply.header('content-type', metrics.contentType).send(await metrics.text());
    },
  }),
];
