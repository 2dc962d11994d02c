import { CHUNKED } from './message-scanner.ts';

export interface HostPort {
  /** As in `URL.hostname`: lower-case, IDNA, addresses in canonical form, IPv6 in brackets. */
  readonly host: string;
  readonly port: number;
}

/** `host` or `host:port`, without any character that a URL parser would strip or take for the end of the host. */
const AUTHORITY = /^(?:\[[0-9A-Fa-f:.]+\]|[^\s:@/?#\\[\]]+)(?::(\d{1,5}))?$/;

/**
 * @param authority `host` or `host:port` as in a request line
 * @param defaultPort null: the port is required (RFC 9110 §9.3.6)
 * @returns null when it is invalid
 */
function parseAuthority(authority: string, defaultPort: number | null): HostPort | null {
  const match = AUTHORITY.exec(authority);
  if (match === null) return null;
  const port = match[1] === undefined ? defaultPort : Number(match[1]);
  const url = URL.parse(`http://${authority}/`);
  return url === null || port === null ? null : { host: url.hostname, port };
}

/** A request to a proxy: for a tunnel (RFC 9110 §9.3.6), or in absolute form (RFC 9112 §3.2.2). */
export type RequestHead =
  | { readonly kind: 'tunnel'; readonly target: HostPort; readonly url: string }
  | {
      readonly kind: 'plain';
      readonly target: HostPort;
      readonly url: string;
      /**
       * The head for the target: in origin form, without the fields for proxies; else as the client wrote it. One character per
       * byte.
       */
      readonly text: string;
      /** Number of bytes, or `CHUNKED`. */
      readonly bodyLength: number;
      readonly isHead: boolean;
      readonly upgrade: boolean;
    };

const REQUEST_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) ([!-~\x80-\xff]+) (HTTP\/1\.[01])$/;
const FIELD_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([^\0\r\n]*)$/;
/**
 * A client that opens a WebSocket without a tunnel uses `http` or `ws`. `https` and `wss` need a tunnel: the gateway speaks no
 * TLS.
 */
const ABSOLUTE_FORM = /^(?:http|ws):\/\/([^/?#]*)([^#]*)$/i;
const CONTENT_LENGTH = /^\d{1,15}$/;

/** @returns null when the head is not a request to a proxy, or is ambiguous (request smuggling) */
export function parseRequestHead(head: string): RequestHead | null {
  if (!head.endsWith('\r\n\r\n')) return null;
  const lines = head.slice(0, -4).split('\r\n');
  const requestLine = REQUEST_LINE.exec(lines[0]!);
  if (requestLine === null) return null;
  const [, method, requestTarget, version] = requestLine as unknown as [string, string, string, string];
  const fields = readFields(lines);
  if (fields === null) return null;
  if (method === 'CONNECT') {
    const target = parseAuthority(requestTarget, null);
    return target === null ? null : { kind: 'tunnel', target, url: `https://${requestTarget}/` };
  }
  const absoluteForm = ABSOLUTE_FORM.exec(requestTarget);
  if (absoluteForm === null) return null;
  const [, authority, path] = absoluteForm as unknown as [string, string, string];
  const target = parseAuthority(authority, 80);
  if (target === null) return null;
  lines[0] = `${method} ${originForm(path)} ${version}`;
  return {
    kind: 'plain',
    target,
    url: `http://${authority}${path}`,
    text: `${lines.filter((text) => text !== '').join('\r\n')}\r\n\r\n`,
    bodyLength: fields.bodyLength,
    isHead: method === 'HEAD',
    upgrade: fields.upgrade,
  };
}

function originForm(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

/**
 * Reads the fields that the gateway needs, and removes from `lines` those that are meant for a proxy. `Proxy-Connection`
 * becomes `Connection`, as a browser sends it without a proxy. null: malformed or ambiguous.
 */
function readFields(lines: string[]): { bodyLength: number; upgrade: boolean } | null {
  let length: string | null = null;
  let coding: string | null = null;
  let upgrade = false;
  let connection = false;
  let proxyConnection = -1;
  for (let i = 1; i < lines.length; i++) {
    const field = FIELD_LINE.exec(lines[i]!);
    if (field === null) return null;
    const value = field[2]!;
    switch (field[1]!.toLowerCase()) {
      case 'content-length':
        if (length !== null && length !== value.trim()) return null;
        length = value.trim();
        break;
      case 'transfer-encoding':
        if (coding !== null) return null;
        coding = value.trim().toLowerCase();
        break;
      case 'upgrade':
        upgrade = true;
        break;
      case 'connection':
        connection = true;
        break;
      case 'proxy-connection':
        if (proxyConnection !== -1) lines[i] = '';
        else proxyConnection = i;
        break;
      case 'proxy-authorization':
        lines[i] = '';
    }
  }
  if (proxyConnection !== -1) {
    const line = lines[proxyConnection]!;
    lines[proxyConnection] = connection ? '' : line.slice('Proxy-'.length);
  }
  if (coding !== null)
    return coding === 'chunked' && length === null ? { bodyLength: CHUNKED, upgrade } : null;
  if (length === null) return { bodyLength: 0, upgrade };
  return CONTENT_LENGTH.test(length) ? { bodyLength: Number(length), upgrade } : null;
}
