import { Credentials } from '../base/credentials.ts';
import { PROXY_PROTOCOLS, type ProxyProtocol, type Upstream } from '../domain/proxy.ts';

const SCHEME = /^(https?|socks5h?):\/\//i;
const DEFAULT_PORT: Readonly<Record<ProxyProtocol, number>> = {
  http: 80,
  https: 443,
  socks5: 1080,
  socks5h: 1080,
};

export type ProxyServer = Pick<Upstream, 'kind' | 'host' | 'port' | 'credentials'>;

const HOST = String.raw`(?:\[[0-9a-f:.]+\]|[^\s:@/?#[\]]+)`;
const HOST_PORT = new RegExp(`^${HOST}:\\d{1,5}$`, 'i');
const USERINFO_HOST_PORT = new RegExp(`^([^:]*):(.*)@(${HOST}:\\d{1,5})$`, 'is');
const HOST_PORT_USERINFO = new RegExp(`^(${HOST}:\\d{1,5}):([^:]+):(.*)$`, 'is');

/**
 * A proxy as lists of them have it (`host:port`, `user:password@host:port`, `host:port:user:password`, the last one after a
 * scheme, too) as a URL, of the scheme http where it has none. Everything else as it is.
 */
export function normaliseProxyUrl(given: string): string {
  const text = given.trim();
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  if (scheme === '' && text.includes('://')) return text;
  const rest = text.slice(scheme.length);
  const url = scheme === '' ? 'http://' : scheme;
  if (scheme === '') {
    if (HOST_PORT.test(rest)) return url + rest;
    const [, user, password, place] = USERINFO_HOST_PORT.exec(rest) ?? [];
    // What is escaped stays so.
    const escaped = (one: string) => one.replace(/[/?#@\\[\]\s]/g, encodeURIComponent);
    if (place !== undefined) return `${url}${escaped(user!)}:${escaped(password!)}@${place}`;
  } else if (USERINFO_HOST_PORT.test(rest.replace(/\/$/, ''))) return text;
  const [, place, user, password] = HOST_PORT_USERINFO.exec(rest) ?? [];
  if (place === undefined) return text;
  return `${url}${encodeURIComponent(user!)}:${encodeURIComponent(password!)}@${place}`;
}

/** The server that a text names (`scheme://user:password@host:port`, or see `proxyUrlOf`), or why it is none. Quotes nothing of it. */
export function parseProxyUrl(given: string): ProxyServer | string {
  const text = normaliseProxyUrl(given);
  const scheme = SCHEME.exec(text);
  if (scheme === null)
    return `must begin with ${PROXY_PROTOCOLS.map((kind) => `${kind}://`).join(', ')}, or be user:password@host:port or host:port:user:password`;
  const kind = scheme[1]!.toLowerCase() as ProxyProtocol;
  // Hosts of http are read as targets are; a port is only seen when it is not the default of the scheme.
  const rest = text.slice(scheme[0].length);
  const [url, other] = [URL.parse(`http://${rest}`), URL.parse(`https://${rest}`)];
  if (url === null || other === null || url.hostname === '') return 'is not a valid proxy URL';
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return 'must end after the port';
  const port = url.port || other.port;
  return {
    kind,
    host: url.hostname,
    port: port === '' ? DEFAULT_PORT[kind] : Number(port),
    credentials:
      url.username === '' && url.password === ''
        ? null
        : new Credentials(percentDecode(url.username), percentDecode(url.password)),
  };
}

/** A `%` that is no escape stays as it is, and so does what is not UTF-8; what stands beside it is decoded all the same. */
function percentDecode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent);
    }
  });
}
