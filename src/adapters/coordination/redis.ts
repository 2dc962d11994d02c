import { Cluster, Redis, type RedisOptions } from 'ioredis';
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
} satisfies RedisOptions;

/** What the text of SLUICE_REDIS_URL says. */
export interface RedisAddress {
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly db: number;
  readonly kind: 'single' | 'cluster' | 'sentinel';
  /** Name of the master that the sentinels watch. */
  readonly master: string;
}

const URL_PATTERN =
  /^redis(s?):\/\/(?:([^@/]*)@)?([^@/?]+)(?:\/(\d{0,4}))?(?:\?(cluster|sentinel)(?:=([^&]+))?)?$/;

/**
 * Reads `redis[s]://[user[:password]@]host[:port][,host[:port]…][/db]`, with `?cluster` for the nodes of a cluster, or with
 * `?sentinel=NAME` for sentinels that watch the master NAME.
 * @returns a message if it is no such URL
 */
export function parseRedisUrl(text: string): RedisAddress | string {
  const match = URL_PATTERN.exec(text);
  if (match === null)
    return 'must be redis://HOST:PORT, rediss://…, or several hosts with ?cluster or ?sentinel=NAME';
  const [, tls, login = '', hostList, db = '', kind = 'single', master = ''] = match;
  const hosts = hostList!.split(',').map((item) => /^(\[[0-9a-fA-F:.]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(item));
  if (hosts.includes(null)) return 'has a host that is not HOST or HOST:PORT';
  if (kind === 'single' && hosts.length > 1) return 'needs ?cluster or ?sentinel=NAME for several hosts';
  if (kind === 'sentinel' && master === '') return 'needs the name of the master: ?sentinel=NAME';
  if (kind === 'cluster' && Number(db) > 0) return 'cannot have a database number for a cluster';
  const [username, password] = login.split(/:(.*)/s, 2).map((part) => decoded(part));
  if (username === null || password === null) return 'has a wrong percent-encoding in user or password';
  return {
    hosts: hosts.map((host) => ({
      host: host![1]!.replace(/^\[|\]$/g, ''),
      port: Number(host![2] ?? (kind === 'sentinel' ? 26_379 : 6_379)),
    })),
    tls: tls === 's',
    username: username || undefined,
    password: password || undefined,
    db: Number(db),
    kind: kind as RedisAddress['kind'],
    master,
  };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

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
  // Every command reports it, too.
  client.on('error', () => {});
  const connected = new Promise<void>((resolve) => {
    client.once('ready', resolve);
    client.once('close', resolve);
  });
  return {
    connected,
    async run(script, key, argument) {
      try {
        return await client.eval(script, 1, key, argument);
      } catch (error) {
        throw new StorageError(`Redis: ${(error as Error).message}`, { cause: error });
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
      clusterRetryStrategy: () => RECONNECT_MS,
    });
  if (kind === 'sentinel')
    return new Redis({
      ...options,
      sentinels: [...hosts],
      name: master,
      db,
      enableTLSForSentinelMode: tls,
      sentinelRetryStrategy: () => RECONNECT_MS,
    });
  return new Redis({ ...options, ...hosts[0]!, db });
}
