import { CHUNKED } from './body-cutter.ts';
import { type Place, parsePlace } from './place.ts';

/** What an engine asks of a proxy: a tunnel (RFC 9110 §9.3.6), or a plain request in absolute form (RFC 9112 §3.2.2). */
export type RequestHead =
  | { readonly kind: 'tunnel'; readonly place: Place; readonly url: string }
  | {
      readonly kind: 'plain';
      readonly place: Place;
      readonly url: string;
      /** The head as the target gets it: origin form, all else as the engine wrote it. One character a byte. */
      readonly text: string;
      /** Bytes, or `CHUNKED`. */
      readonly bodyLength: number;
      readonly isHead: boolean;
      readonly upgrade: boolean;
    };

const LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) ([!-~\x80-\xff]+) (HTTP\/1\.[01])$/;
const FIELD = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([^\0\r\n]*)$/;
/** A WebSocket without a tunnel comes as either scheme. What is secure needs a tunnel: here no TLS is spoken. */
const ABSOLUTE = /^(?:http|ws):\/\/([^/?#]*)([^#]*)$/i;
const LENGTH = /^\d{1,15}$/;

/** The head, or null when it is not what a proxy is asked, or could be read in two ways. */
export function parseRequestHead(head: string): RequestHead | null {
  if (!head.endsWith('\r\n\r\n')) return null;
  const lines = head.slice(0, -4).split('\r\n');
  const line = LINE.exec(lines[0]!);
  if (line === null) return null;
  const [, method, target, version] = line as unknown as [string, string, string, string];
  const fields = readFields(lines);
  if (fields === null) return null;
  if (method === 'CONNECT') {
    const place = parsePlace(target, null);
    return place === null ? null : { kind: 'tunnel', place, url: `https://${target}/` };
  }
  const absolute = ABSOLUTE.exec(target);
  const place = absolute === null ? null : parsePlace(absolute[1]!, 80);
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
    const field = FIELD.exec(lines[i]!);
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
  return LENGTH.test(length) ? { bodyLength: Number(length), upgrade } : null;
}
