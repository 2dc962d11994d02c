import type { Socket } from 'node:net';
import type { Failure } from '../../domain/failure.ts';
import type { Upstream } from '../../domain/upstream.ts';
import { type ProxyHead, tunnelRefused } from './proxy-answer.ts';
import { proxyFailed } from './proxy-failure.ts';
import { type NoAnswer, takeBytes } from './take-bytes.ts';

/** Of the answer to CONNECT. */
const MOST_HEAD = 65_536;
const STATUS = /^HTTP\/1\.[01][ \t]+(\d{3})(?:[ \t]|$)/i;

export interface TunnelAsk {
  readonly socket: Socket;
  readonly upstream: Upstream;
  /** As in `URL.hostname`. */
  readonly host: string;
  readonly port: number;
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

/** Makes a connection to an HTTP proxy one to the target (RFC 9110 §9.3.6). null: it leads there now. */
export async function httpTunnel(ask: TunnelAsk): Promise<Failure | null> {
  const { socket, upstream, host, port } = ask;
  const target = `${host}:${port}`;
  const { credentials } = upstream;
  const allowed = credentials === null ? '' : `Proxy-Authorization: ${credentials.basic()}\r\n`;
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${allowed}\r\n`, 'latin1');
  const answer = await takeBytes({ ...ask, read: readHead });
  if (typeof answer === 'string') return noAnswer(answer, target);
  const head = answer.value;
  if (head === null)
    return proxyFailed('protocol', 'proxy', 'What the proxy answered to CONNECT is not HTTP.');
  if (head.status < 200 || head.status >= 300) return tunnelRefused(head, target);
  // Nobody has said anything to the target, and it is for the client to begin: what is there is the proxy's own.
  return socket.readableLength === 0
    ? null
    : proxyFailed('protocol', 'tunnel', 'The proxy sent more than its answer to CONNECT.');
}

/** Why the talk with a proxy came to nothing. */
export function noAnswer(why: NoAnswer, target: string): Failure {
  if (why === 'timeout')
    return proxyFailed('timeout', 'tunnel', `The proxy did not reach ${target} in time.`);
  return proxyFailed(
    'protocol',
    'tunnel',
    `The proxy closed the connection instead of leading to ${target}.`,
  );
}

/** The final head; interim ones (1xx) are passed over. `value` null: it is none. */
function readHead(bytes: Buffer): { value: ProxyHead | null; length: number } | null {
  const beginning = bytes.toString('latin1', 0, 5).toUpperCase();
  if (!'HTTP/'.startsWith(beginning)) return { value: null, length: bytes.length };
  const text = bytes.toString('latin1', 0, MOST_HEAD);
  const found = /\r?\n\r?\n/.exec(text);
  if (found === null) return bytes.length >= MOST_HEAD ? { value: null, length: bytes.length } : null;
  const length = found.index + found[0].length;
  const [line, ...fields] = text.slice(0, found.index).split(/\r?\n/);
  const status = STATUS.exec(line!);
  if (status === null) return { value: null, length: bytes.length };
  const code = Number(status[1]);
  if (code >= 100 && code < 200) {
    const next = readHead(bytes.subarray(length));
    return bytes.length === length || next === null ? null : { ...next, length: length + next.length };
  }
  return { value: { status: code, headers: fields.map(readField) }, length };
}

function readField(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, Math.max(0, colon)).trim().toLowerCase(), line.slice(colon + 1).trim()];
}
