import { type Static, Type } from 'typebox';
import { Credentials } from '../../base/credentials.ts';
import { closed, optional } from '../../domain/json-schema.ts';
import { DEFAULT_PROXY_OPTIONS, type ProxyOptions, type Upstream } from '../../domain/proxy.ts';
import { PROXY_TYPES, type Task } from '../../domain/task.ts';
import { normaliseProxyUrl, parseProxyUrl } from '../proxy-url.ts';
import { isRequested } from '../schema/json-value.ts';
import { addProblem, type Problems } from '../schema/problems.ts';

/** Values of `proxy` as a string, besides a proxy URL. */
const NAMED_PROXY_TYPES = ['datacenter', 'residential', 'mobile'] as const;
const DEFAULT_SESSION_TTL_S = 600;

// If a schema has a `pattern`, its description is the message for a value that does not match: see `explainString`.

const locationName = (what: string) =>
  Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: "^[\\p{L}\\p{N} ._'-]*$",
      description: `${what}, as the pool or the proxy provider names it: letters, digits, spaces, \`.\`, \`'\`, \`_\`, \`-\``,
    }),
  );

export const ProxySettings = closed(
  {
    ...optional({
      type: Type.Enum([...PROXY_TYPES], {
        default: 'datacenter',
        description:
          '`custom`: the proxy in `server`. `none`: no proxy, if the operator allows it. If no pool is configured, `datacenter` connects directly, without a proxy.',
      }),
      server: Type.String({
        // An empty server, such as from an unset variable, must not lead to a connection without a proxy.
        minLength: 1,
        maxLength: 2000,
        description:
          'Your own proxy: `http://`, `https://`, `socks5://` or `socks5h://`, then host and port. Without a scheme, it is an HTTP proxy.',
      }),
      username: Type.String({ maxLength: 1000, description: 'User name for `server`.' }),
      password: Type.String({ maxLength: 1000, description: 'Password for `server`. Never returned.' }),
      bypass: Type.Array(Type.String({ maxLength: 255 }), {
        maxItems: 100,
        description:
          'Hosts to reach without the proxy: `example.com`, `.example.com` (its subdomains), or `*`.',
      }),
      pool: Type.String({ maxLength: 100, description: 'Name of one pool of this type.' }),
      country: Type.String({
        pattern: '^(?:[A-Za-z]{2})?$',
        description: 'must be two letters (ISO 3166-1 alpha-2)',
      }),
    }),
    region: locationName('Region'),
    city: locationName('City'),
    ...optional({
      session: Type.String({
        pattern: '^[A-Za-z0-9_-]{0,64}$',
        description: 'must be 1 to 64 letters, digits, `_` or `-`',
      }),
      session_ttl_s: Type.Integer({ minimum: 1, maximum: 3600, default: DEFAULT_SESSION_TTL_S }),
      rotate: Type.Enum(['per_attempt', 'per_request', 'on_block'], {
        default: 'per_attempt',
        description:
          'When to change the exit IP address: for each attempt, once per request, or after a block.',
      }),
    }),
  },
  { title: 'ProxySettings' },
);
export type ProxySettings = Static<typeof ProxySettings>;

export const ProxyField = Type.Union([Type.String({ maxLength: 4000 }), ProxySettings], {
  default: 'datacenter',
  description:
    '`datacenter`, `residential`, `mobile`, a proxy URL (`host:port:user:password` works too), or an object.',
});
export type ProxyField = Static<typeof ProxyField>;

type TaskProxy = Pick<Task, 'proxyType' | 'proxy'>;

const DEFAULT_PROXY: TaskProxy = { proxyType: 'datacenter', proxy: DEFAULT_PROXY_OPTIONS };
/** Members that choose an exit of a pool. */
const POOL_MEMBERS = ['pool', 'country', 'region', 'city', 'session', 'session_ttl_s', 'rotate'] as const;
/** Groups: the prefix for subdomains, the host, and the port. */
const BYPASS_PATTERN = /^((?:\*?\.)?)(\*|[^\s*:/?#@\\[\]]+|\[[0-9a-f:.]+\])((?::\d{1,5})?)$/i;

/** Reads `proxy`. Messages never quote it, because it may contain a password. */
export function readProxy(proxy: ProxyField | undefined, problems: Problems): TaskProxy {
  if (proxy === undefined) return DEFAULT_PROXY;
  if (typeof proxy !== 'string') return readProxySettings(proxy, problems);
  const type = NAMED_PROXY_TYPES.find((name) => name === proxy);
  if (type !== undefined) return { proxyType: type, proxy: DEFAULT_PROXY_OPTIONS };
  if (!proxy.includes(':')) {
    addProblem(
      problems,
      '/proxy',
      `must be ${NAMED_PROXY_TYPES.join(', ')} or a proxy: a URL (http://, https://, socks5://, socks5h://), user:password@host:port or host:port:user:password`,
    );
    return DEFAULT_PROXY;
  }
  return customProxy(readServer(proxy, '/proxy', problems));
}

function readProxySettings(settings: ProxySettings, problems: Problems): TaskProxy {
  const bypass = readBypass(settings.bypass ?? [], problems);
  const type = settings.type;
  if (settings.server) return customProxy(readCustomProxy(settings, settings.server, problems), bypass);
  if (type === 'custom') addProblem(problems, '/proxy/server', 'is needed with the type `custom`');
  for (const name of ['username', 'password'] as const)
    if (settings[name])
      addProblem(problems, `/proxy/${name}`, 'needs `server`: pools have credentials of their own');
  if (type === 'none') refusePoolMembers(settings, 'the type `none`', problems);
  if (
    settings.session_ttl_s !== undefined &&
    !isDefault('session_ttl_s', settings.session_ttl_s) &&
    !settings.session
  )
    addProblem(problems, '/proxy/session_ttl_s', 'needs `session`');
  const proxy: ProxyOptions = {
    server: null,
    bypass,
    pool: settings.pool || null,
    country: settings.country?.toUpperCase() || null,
    region: settings.region || null,
    city: settings.city || null,
    session: settings.session || null,
    sessionTtlMs: (settings.session_ttl_s ?? DEFAULT_SESSION_TTL_S) * 1000,
    rotate: settings.rotate ?? 'per_attempt',
  };
  return { proxyType: type ?? 'datacenter', proxy };
}

/** The caller's own proxy. Members that choose an exit of a pool are refused. */
function readCustomProxy(proxy: ProxySettings, text: string, problems: Problems): Upstream {
  if (proxy.type !== undefined && proxy.type !== 'custom')
    addProblem(problems, '/proxy/type', 'must be `custom` where there is a `server`, or left out');
  refusePoolMembers(proxy, '`server`', problems);
  const url = normaliseProxyUrl(text);
  const server = readServer(url.includes('://') ? url : `http://${url}`, '/proxy/server', problems);
  if (!proxy.username && !proxy.password) return server;
  // Which credentials the caller means is unclear. Guessing wrong would only show as a refusal by the proxy.
  if (server.credentials !== null)
    addProblem(
      problems,
      proxy.username ? '/proxy/username' : '/proxy/password',
      'cannot be combined with credentials in `server`',
    );
  return { ...server, credentials: new Credentials(proxy.username ?? '', proxy.password ?? '') };
}

function refusePoolMembers(proxy: ProxySettings, other: string, problems: Problems): void {
  for (const name of POOL_MEMBERS)
    if (isRequested(proxy[name]) && !isDefault(name, proxy[name]))
      addProblem(problems, `/proxy/${name}`, `cannot be combined with ${other}`);
}

/** If a problem is added, the result is a placeholder that is never used. */
function readServer(text: string, pointer: string, problems: Problems): Upstream {
  const server = parseProxyUrl(text);
  if (typeof server !== 'string') return { ...server, checkAddress: true, bypass: [] };
  addProblem(problems, pointer, server);
  return { kind: 'http', host: '', port: 0, credentials: null, checkAddress: true, bypass: [] };
}

function customProxy(server: Upstream, bypass: readonly string[] = []): TaskProxy {
  return { proxyType: 'custom', proxy: { ...DEFAULT_PROXY_OPTIONS, server, bypass } };
}

function readBypass(patterns: readonly string[], problems: Problems): readonly string[] {
  return patterns.map((pattern, index) => {
    const normalised = normaliseBypassPattern(pattern);
    if (normalised === null)
      addProblem(
        problems,
        `/proxy/bypass/${index}`,
        'must be a host name, `.name` or `*.name` for its subdomains, or `*`, each with an optional `:port`',
      );
    return normalised ?? pattern;
  });
}

/** Serialises the host as in a URL, because it is compared with those: `bücher.de`, `127.1`. null: not a valid pattern. */
function normaliseBypassPattern(pattern: string): string | null {
  const [, prefix, host, port] = BYPASS_PATTERN.exec(pattern) ?? [];
  if (host === undefined) return null;
  if (host === '*') return prefix === '' && URL.canParse(`http://a${port}`) ? pattern : null;
  if (prefix !== '' && host.startsWith('[')) return null;
  const url = URL.parse(`http://${host}${port}`);
  return url === null ? null : `${prefix}${url.hostname}${port}`;
}

function isDefault(name: string, value: unknown): boolean {
  return name === 'rotate'
    ? value === 'per_attempt'
    : name === 'session_ttl_s' && value === DEFAULT_SESSION_TTL_S;
}
