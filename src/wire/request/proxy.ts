import { Credentials } from '../../base/credentials.ts';
import type { Job, ProxyType } from '../../domain/job.ts';
import { ANY_EXIT, type ProxyAsk } from '../../domain/proxy-ask.ts';
import type { Upstream } from '../../domain/upstream.ts';
import { parseProxyUrl, proxyUrlOf } from '../proxy-url.ts';
import { type Problems, wrong } from '../schema/problems.ts';
import { asksFor } from './asks-for.ts';
import { DEFAULT_SESSION_TTL_S, PROXY_WORDS, type ProxyObject, type ProxyRequest } from './proxy-schema.ts';

/** The exit asked for. */
type Exit = Pick<Job, 'proxyType' | 'proxy'>;

const DEFAULT: Exit = { proxyType: 'datacenter', proxy: ANY_EXIT };
/** Members that choose among the exits of the operator's pools. */
const OF_POOLS = ['pool', 'country', 'region', 'city', 'session', 'session_ttl_s', 'rotate'] as const;
/** What comes before the name, the name, and the port. */
const BYPASS = /^((?:\*?\.)?)(\*|[^\s*:/?#@\\[\]]+|\[[0-9a-f:.]+\])((?::\d{1,5})?)$/i;

/** The exit asked for. What is given is never quoted: it may hold a password. */
export function readProxy(ask: ProxyRequest | undefined, problems: Problems): Exit {
  if (ask === undefined) return DEFAULT;
  if (typeof ask !== 'string') return readObject(ask, problems);
  const word = PROXY_WORDS.find((one) => one === ask);
  if (word !== undefined) return { proxyType: word, proxy: ANY_EXIT };
  if (!ask.includes(':')) {
    wrong(
      problems,
      '/proxy',
      `must be ${PROXY_WORDS.join(', ')} or a proxy: a URL (http://, https://, socks5://, socks5h://), user:password@host:port or host:port:user:password`,
    );
    return DEFAULT;
  }
  return custom(readServer(ask, '/proxy', problems), []);
}

function readObject(ask: ProxyObject, problems: Problems): Exit {
  const bypass = readBypass(ask.bypass ?? [], problems);
  const type = ask.type as ProxyType | undefined;
  if (ask.server) return custom(readOwn(ask, ask.server, problems), bypass);
  if (type === 'custom') wrong(problems, '/proxy/server', 'is needed with the type `custom`');
  for (const name of ['username', 'password'] as const)
    if (ask[name]) wrong(problems, `/proxy/${name}`, 'needs `server`: pools have credentials of their own');
  if (type === 'none') refuseOthers(ask, 'the type `none`', problems);
  if (ask.session_ttl_s !== undefined && !isDefault('session_ttl_s', ask.session_ttl_s) && !ask.session)
    wrong(problems, '/proxy/session_ttl_s', 'needs `session`');
  const proxy: ProxyAsk = {
    server: null,
    bypass,
    pool: ask.pool || null,
    country: ask.country?.toUpperCase() || null,
    region: ask.region || null,
    city: ask.city || null,
    session: ask.session || null,
    sessionTtlMs: (ask.session_ttl_s ?? DEFAULT_SESSION_TTL_S) * 1000,
    rotate: (ask.rotate as ProxyAsk['rotate'] | undefined) ?? 'per_attempt',
  };
  return { proxyType: type ?? 'datacenter', proxy };
}

/** A proxy of the caller's own: it is one exit, so nothing can be chosen. */
function readOwn(ask: ProxyObject, text: string, problems: Problems): Upstream {
  if (ask.type !== undefined && ask.type !== 'custom')
    wrong(problems, '/proxy/type', 'must be `custom` where there is a `server`, or left out');
  refuseOthers(ask, '`server`', problems);
  const url = proxyUrlOf(text);
  const server = readServer(url.includes('://') ? url : `http://${url}`, '/proxy/server', problems);
  if (!ask.username && !ask.password) return server;
  // Half of one beside half of the other is no pair, and dropping either would show as a refusal by the proxy only.
  if (server.credentials !== null)
    wrong(
      problems,
      ask.username ? '/proxy/username' : '/proxy/password',
      'cannot be combined with credentials in `server`',
    );
  return { ...server, credentials: new Credentials(ask.username ?? '', ask.password ?? '') };
}

function refuseOthers(ask: ProxyObject, beside: string, problems: Problems): void {
  for (const name of OF_POOLS)
    if (asksFor(ask[name]) && !isDefault(name, ask[name]))
      wrong(problems, `/proxy/${name}`, `cannot be combined with ${beside}`);
}

function readServer(text: string, at: string, problems: Problems): Upstream {
  const server = parseProxyUrl(text);
  if (typeof server !== 'string') return { ...server, judged: true, bypass: [] };
  wrong(problems, at, server);
  return { kind: 'http', host: '', port: 0, credentials: null, judged: true, bypass: [] };
}

function custom(server: Upstream, bypass: readonly string[]): Exit {
  return { proxyType: 'custom', proxy: { ...ANY_EXIT, server, bypass } };
}

function readBypass(patterns: readonly string[], problems: Problems): readonly string[] {
  return patterns.map((pattern, at) => {
    const read = readPattern(pattern);
    if (read === null)
      wrong(
        problems,
        `/proxy/bypass/${at}`,
        'must be a host name, `.name` or `*.name` for its subdomains, or `*`, each with an optional `:port`',
      );
    return read ?? pattern;
  });
}

/** With the host as a URL has it: names of other letters and odd addresses would never fit. */
function readPattern(pattern: string): string | null {
  const [, under, name, port] = BYPASS.exec(pattern) ?? [];
  if (name === undefined) return null;
  if (name === '*') return under === '' && URL.canParse(`http://a${port}`) ? pattern : null;
  if (under !== '' && name.startsWith('[')) return null;
  const url = URL.parse(`http://${name}${port}`);
  return url === null ? null : `${under}${url.hostname}${port}`;
}

function isDefault(name: string, value: unknown): boolean {
  return name === 'rotate'
    ? value === 'per_attempt'
    : name === 'session_ttl_s' && value === DEFAULT_SESSION_TTL_S;
}
