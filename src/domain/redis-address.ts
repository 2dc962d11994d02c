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
