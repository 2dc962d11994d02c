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
 * Converts the formats of proxy lists to a URL: `host:port`, `user:password@host:port` and `host:port:user:password`, the
 * last one also after a scheme. Without a scheme, `http://` is added. Other texts are returned unchanged.
 */
export function normaliseProxyUrl(proxy: string): string {
  const text = proxy.trim();
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  if (scheme === '' && text.includes('://')) return text;
  const rest = text.slice(scheme.length);
  const prefix = scheme === '' ? 'http://' : scheme;
  if (scheme === '') {
    if (HOST_PORT.test(rest)) return prefix + rest;
    const [, user, password, hostPort] = USERINFO_HOST_PORT.exec(rest) ?? [];
    // `%` is not encoded, because the text may be percent-encoded already.
    const encode = (part: string) => part.replace(/[/?#@\\[\]\s]/g, encodeURIComponent);
    if (hostPort !== undefined) return `${prefix}${encode(user!)}:${encode(password!)}@${hostPort}`;
  } else if (USERINFO_HOST_PORT.test(rest.replace(/\/$/, ''))) return text;
  const [, hostPort, user, password] = HOST_PORT_USERINFO.exec(rest) ?? [];
  if (hostPort === undefined) return text;
  return `${prefix}${encodeURIComponent(user!)}:${encodeURIComponent(password!)}@${hostPort}`;
}

/**
 * Parses `scheme://user:password@host:port`, or a format that `normaliseProxyUrl` knows. On failure, returns a message that
 * continues the sentence after the pointer, and that does not quote the text, because it may contain a password.
 */
export function parseProxyUrl(proxy: string): ProxyServer | string {
  const text = normaliseProxyUrl(proxy);
  const scheme = SCHEME.exec(text);
  if (scheme === null)
    return `must begin with ${PROXY_PROTOCOLS.map((kind) => `${kind}://`).join(', ')}, or be user:password@host:port or host:port:user:password`;
  const kind = scheme[1]!.toLowerCase() as ProxyProtocol;
  // Parsed as http, because `URL` does not normalise the host of unknown schemes. `url.port` is empty for the default port of
  // the scheme; a second parse as https distinguishes a stated port 80 from no port.
  const rest = text.slice(scheme[0].length);
  const [url, httpsUrl] = [URL.parse(`http://${rest}`), URL.parse(`https://${rest}`)];
  if (url === null || httpsUrl === null || url.hostname === '') return 'is not a valid proxy URL';
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return 'must end after the port';
  const port = url.port || httpsUrl.port;
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

/** Decodes percent-encoding. A `%` without two digits, and bytes that are not UTF-8, are left as they are. */
function percentDecode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent);
    }
  });
}
