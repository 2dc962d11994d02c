import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Api, apiOf } from './client.ts';
import { listen } from './free-port.ts';
import { testDatabase } from './postgres.ts';
import { type Service, type ServiceOptions, startService, TEST_KEY } from './service.ts';

export type Role = 'all' | 'api' | 'worker';

export interface Replica extends Service {
  readonly role: Role;
}

/** Processes of `sluice serve` on one PostgreSQL database, each with a data folder of its own. */
export interface Cluster extends AsyncDisposable {
  readonly databaseUrl: string;
  /** Those that were started and not stopped, in the order of their start. */
  readonly replicas: readonly Replica[];
  /** Settings of one replica may differ. Resolves when it is ready. */
  start(role: Role, env?: NodeJS.ProcessEnv, options?: ServiceOptions): Promise<Replica>;
  /** SIGTERM; rejects if the exit code is not 0. */
  stop(replica: Replica): Promise<void>;
  /** SIGKILL. */
  kill(replica: Replica): Promise<void>;
  /** SIGSTOP, and SIGCONT after `ms`. */
  pause(replica: Replica, ms: number): Promise<void>;
  /** One that serves requests. */
  random(): Replica;
}

/** Settings that all replicas must share. @param databaseUrl of an empty database, or of one that others use */
export const sharedSettings = (databaseUrl: string): NodeJS.ProcessEnv => ({
  SLUICE_DATABASE_URL: databaseUrl,
  SLUICE_SECRET: 'the secret of the test cluster',
  SLUICE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  SLUICE_DRAIN_DELAY_SECONDS: '1',
});

/**
 * Starts one replica of each role, one after the other.
 * @param env settings of all replicas
 */
export async function startCluster(roles: readonly Role[], env: NodeJS.ProcessEnv = {}): Promise<Cluster> {
  const databaseUrl = env.SLUICE_DATABASE_URL ?? (await testDatabase());
  const shared = { ...sharedSettings(databaseUrl), ...env };
  const replicas: Replica[] = [];
  const leave = (replica: Replica) => replicas.splice(replicas.indexOf(replica), 1);
  const cluster: Cluster = {
    databaseUrl,
    replicas,
    async start(role, own = {}, options = {}) {
      const service = await startService({ ...shared, SLUICE_ROLE: role, ...own }, options);
      const replica = Object.assign(service, { role });
      replicas.push(replica);
      return replica;
    },
    async stop(replica) {
      leave(replica);
      await replica.end();
    },
    async kill(replica) {
      leave(replica);
      await replica.kill9();
      await replica[Symbol.asyncDispose]();
    },
    async pause(replica, ms) {
      process.kill(replica.pid, 'SIGSTOP');
      await pause(ms);
      process.kill(replica.pid, 'SIGCONT');
    },
    random() {
      const serving = replicas.filter(({ role }) => role !== 'worker');
      return serving[Math.floor(Math.random() * serving.length)]!;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(replicas.splice(0).map((replica) => replica[Symbol.asyncDispose]()));
    },
  };
  try {
    for (const role of roles) await cluster.start(role);
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
  return cluster;
}

/** A load balancer that sends requests, in turn, to the replicas whose `/readyz` is 200, as of the last 200 ms. */
export interface LoadBalancer extends AsyncDisposable {
  readonly url: string;
  /** Asserts that every response fits docs/openapi.json. */
  readonly api: Api;
}

const CHECK_MS = 200;

export async function startLoadBalancer(cluster: Pick<Cluster, 'replicas'>): Promise<LoadBalancer> {
  let ready: readonly Replica[] = [];
  let next = 0;
  const check = async () => {
    const serving = cluster.replicas.filter(({ role }) => role !== 'worker');
    const states = await Promise.all(
      serving.map(async ({ base }) => {
        const response = await fetch(`${base}/readyz`).catch(() => null);
        await response?.arrayBuffer().catch(() => null);
        return response?.status === 200;
      }),
    );
    ready = serving.filter((_, index) => states[index]);
  };
  const server: Server = createServer((incoming, outgoing) => {
    const replica = ready[next++ % Math.max(1, ready.length)];
    if (replica === undefined) outgoing.writeHead(502).end('no replica is ready');
    else relay(incoming, outgoing, replica.port);
  });
  await check();
  const timer = setInterval(() => void check(), CHECK_MS);
  const url = `http://127.0.0.1:${await listen(server)}`;
  return {
    url,
    api: apiOf(url, TEST_KEY),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Without trying again: what a replica fails to answer, the caller sees as 502. */
function relay(incoming: IncomingMessage, outgoing: ServerResponse, port: number): void {
  const { method, url, headers } = incoming;
  const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (response) => {
    // How long the connection to the replica is kept is nothing to the caller (RFC 9110 §7.6.1).
    const { connection: _, 'keep-alive': __, ...headers } = response.headers;
    outgoing.writeHead(response.statusCode!, headers);
    response.pipe(outgoing);
    response.on('error', () => outgoing.destroy());
  });
  onward.on('error', (error) => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end(String(error));
  });
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}
