import { CHUNKED } from './message-scanner.ts';

/** Where a request leads. */
export interface HostPort {
  /** As `URL.hostname`: lower-case, IDNA, addresses in their one spelling, IPv6 in brackets. */
  readonly host: string;
  readonly port: number;
}

/** No user, no path, nothing that a URL parser would strip or take for the end of the host. */
const AUTHORITY = /^(?:\[[0-9A-Fa-f:.]+\]|[^\s:@/?#\\[\]]+)(?::(\d{1,5}))?$/;

/**
 * @param authority `host` or `host:port` as in a request line
 * @param defaultPort null: a port has to be there (RFC 9110 §9.3.6)
 * @returns null when it is none
 */
function parseAuthority(authority: string, defaultPort: number | null): HostPort | null {
  const match = AUTHORITY.exec(authority);
  if (match === null) return null;
  const port = match[1] === undefined ? defaultPort : Number(match[1]);
  const url = URL.parse(`http://${authority}/`);
  return url === null || port === null ? null : { host: url.hostname, port };
}

/** What an engine asks of a proxy: a tunnel (RFC 9110 §9.3.6), or a plain request in absolute form (RFC 9112 §3.2.2). */
export type RequestHead =
  | { readonly kind: 'tunnel'; readonly place: HostPort; readonly url: string }
  | {
      readonly kind: 'plain';
      readonly place: HostPort;
      readonly url: string;
      /** The head as the target gets it: origin form, all else as the engine wrote it. One character a byte. */
      readonly text: string;
      /** Bytes, or `CHUNKED`. */
      readonly bodyLength: number;
      readonly isHead: boolean;
      readonly upgrade: boolean;
    };

const REQUEST_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) ([!-~\x80-\xff]+) (HTTP\/1\.[01])$/;
const FIELD_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([^\0\r\n]*)$/;
/** A WebSocket without a tunnel comes as either scheme. What is secure needs a tunnel: here no TLS is spoken. */
const ABSOLUTE_FORM = /^(?:http|ws):\/\/([^/?#]*)([^#]*)$/i;
const CONTENT_LENGTH = /^\d{1,15}$/;

/** The head, or null when it is not what a proxy is asked, or could be read in two ways. */
export function parseRequestHead(head: string): RequestHead | null {
  if (!head.endsWith('\r\n\r\n')) return null;
  const lines = head.slice(0, -4).split('\r\n');
  const line = REQUEST_LINE.exec(lines[0]!);
  if (line === null) return null;
  const [, method, target, version] = line as unknown as [string, string, string, string];
  const fields = readFields(lines);
  if (fields === null) return null;
  if (method === 'CONNECT') {
    const place = parseAuthority(target, null);
    return place === null ? null : { kind: 'tunnel', place, url: `https://${target}/` };
  }
  const absolute = ABSOLUTE_FORM.exec(target);
  const place = absolute === null ? null : parseAuthority(absolute[1]!, 80);
  if (absolute === null || place === null) return null;
  lines[0] = `${method} ${originForm(absolute[2]!)} ${version}`;
  return {
    kind: 'plain',
    place,
    url: `http://${absolute[1]}${absolute[2]}`,
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
 * Reads what matters from the fields, and takes out what is only between engine and proxy: `Proxy-Connection` stands
 * where a browser without a proxy writes `Connection`, so it becomes that again. null: broken or ambiguous.
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
