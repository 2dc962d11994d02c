import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from '../../domain/redis-address.ts';
import { StorageError } from '../../ports/store.ts';

const TIMEOUT_MS = 1_500;
const RECONNECT_MS = 500;

const OPTIONS = {
  connectTimeout: TIMEOUT_MS,
  commandTimeout: TIMEOUT_MS,
  // A command fails at once without a connection, and is never sent twice: the next exchange has the true counts.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: () => RECONNECT_MS,
  // The server has become a replica: the sentinels know the new master.
  reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
} satisfies RedisOptions;

/** A connection that reconnects by itself. All keys have the same hash tag, so that a cluster keeps them on one node. */
export interface RedisConnection {
  /** Resolves when the first attempt to connect has succeeded or failed. */
  readonly connected: Promise<void>;
  /** Runs a script. Rejects with `StorageError`. @param key decides on the node of a cluster */
  run(script: string, key: string, argument: string): Promise<unknown>;
  close(): void;
}

export function connectRedis(address: RedisAddress): RedisConnection {
  const client = open(address);
  /** Why there is no connection. Commands only say that there is none. */
  let problem: string | null = null;
  client.on('error', (error: Error & { readonly lastNodeError?: Error }) => {
    problem = (error.lastNodeError ?? error).message;
  });
  let tlsProblem: string | null = null;
  client.on('ready', () => {
    problem = null;
    tlsProblem = null;
  });
  const attempt = new Promise<void>((resolve) => {
    client.once('ready', resolve);
    client.once('close', resolve);
    // The only event if no sentinel can be reached.
    client.once('error', () => resolve());
  });
  const connected = (async () => {
    if (address.tls && address.kind !== 'single') tlsProblem = await tlsProblemOf(address);
    await attempt;
  })();
  return {
    connected,
    async run(script, key, argument) {
      try {
        return await client.eval(script, 1, key, argument);
      } catch (error) {
        throw new StorageError(`Redis: ${tlsProblem ?? problem ?? (error as Error).message}`, {
          cause: error,
        });
      }
    },
    close: () => client.disconnect(),
  };
}

function open({ hosts, tls, username, password, db, kind, master }: RedisAddress): Redis | Cluster {
  const login = {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
  };
  const options = { ...OPTIONS, ...login, ...(tls ? { tls: {} } : {}) };
  if (kind === 'cluster')
    return new Cluster([...hosts], {
      redisOptions: options,
      enableOfflineQueue: false,
      // As with one server, a command fails at once.
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      // Names are not replaced by addresses, because certificates are for names.
      dnsLookup: (host, callback) => callback(null, host),
      clusterRetryStrategy: () => RECONNECT_MS,
    });
  if (kind === 'sentinel')
    return new Redis({
      ...options,
      sentinels: [...hosts],
      name: master,
      db,
      enableTLSForSentinelMode: tls,
      ...(tls ? { sentinelTLS: {} } : {}),
      sentinelRetryStrategy: () => RECONNECT_MS,
    });
  return new Redis({ ...options, ...hosts[0]!, db });
}

/**
 * Connects to the hosts one by one, because for clusters and sentinels the library only says that a connection was closed.
 * @returns why a host cannot be reached; null: one can be
 */
async function tlsProblemOf({ hosts }: RedisAddress): Promise<string | null> {
  let problem: string | null = null;
  for (const host of hosts) {
    const client = new Redis({ ...OPTIONS, ...host, tls: {}, retryStrategy: null });
    const failure = await new Promise<string | null>((resolve) => {
      client.once('connect', () => resolve(null));
      client.on('error', ({ message }: Error) => resolve(message));
    });
    client.disconnect();
    if (failure === null) return null;
    problem ??= failure;
  }
  return problem;
}
