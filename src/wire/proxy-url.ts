import { Credentials } from '../base/credentials.ts';
import { UPSTREAM_KINDS, type Upstream, type UpstreamKind } from '../domain/upstream.ts';

const SCHEME = /^(https?|socks5h?):\/\//i;
const DEFAULT_PORT: Readonly<Record<UpstreamKind, number>> = {
  http: 80,
  https: 443,
  socks5: 1080,
  socks5h: 1080,
};

export type ProxyServer = Pick<Upstream, 'kind' | 'host' | 'port' | 'credentials'>;

/** Whether the text begins as the URL of a proxy does. */
export function looksLikeProxyUrl(text: string): boolean {
  return SCHEME.test(text);
}

/** The server that a proxy URL names (`scheme://user:password@host:port`), or why it is none. Quotes nothing of it. */
export function parseProxyUrl(text: string): ProxyServer | string {
  const scheme = SCHEME.exec(text);
  if (scheme === null) return `must begin with ${UPSTREAM_KINDS.map((kind) => `${kind}://`).join(', ')}`;
  const kind = scheme[1]!.toLowerCase() as UpstreamKind;
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
        : new Credentials(decoded(url.username), decoded(url.password)),
  };
}

/** A `%` that is no escape stays as it is, and so does what is not UTF-8; what stands beside it is decoded all the same. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent);
    }
  });
}
