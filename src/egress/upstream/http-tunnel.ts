import type { Socket } from 'node:net';
import { headEnd } from '../../base/head-end.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Upstream } from '../../domain/upstream.ts';
import { type ProxyHead, tunnelRefused } from './proxy-answer.ts';
import { proxyFailed } from './proxy-failure.ts';
import { type NoAnswer, type Talk, takeBytes } from './take-bytes.ts';

/** Of the answer to CONNECT, interim heads and all. */
const MOST_HEAD = 65_536;
/** Interim heads before the final one. Proxies send one or none. */
const MOST_INTERIM = 10;
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
  const answer = await takeBytes({ ...ask, read: headReader() });
  if (typeof answer === 'string') return noAnswer(answer, target);
  const head = answer.value;
  if (head === null)
    return proxyFailed('protocol', 'proxy', 'The response of the proxy to CONNECT is not HTTP.');
  if (head.status < 200 || head.status >= 300) return tunnelRefused(head, target);
  // Nobody has said anything to the target, and it is for the client to begin: what is there is the proxy's own.
  return socket.readableLength === 0
    ? null
    : proxyFailed('protocol', 'tunnel', 'The proxy sent data after its response to CONNECT.');
}

/** Why the talk with a proxy came to nothing. */
export function noAnswer(why: NoAnswer, target: string): Failure {
  if (why === 'timeout')
    return proxyFailed('timeout', 'tunnel', `The proxy did not reach ${target} in time.`);
  if (why === 'unreadable')
    return proxyFailed('protocol', 'proxy', 'The response of the proxy cannot be read.');
  return proxyFailed(
    'protocol',
    'tunnel',
    `The proxy closed the connection instead of connecting to ${target}.`,
  );
}

/**
 * Reads the final head; interim ones (1xx) are passed over. `value` null: it is none. Made anew for each answer: it goes
 * on where it stopped, so that no byte is looked at again for each piece or head that comes.
 */
function headReader(): Talk<ProxyHead | null>['read'] {
  /** Where the head begins that is being read. */
  let start = 0;
  /** Up to here there is no end of it. */
  let searched = 0;
  let interim = 0;
  return (bytes) => {
    const none = { value: null, length: bytes.length };
    for (;;) {
      const beginning = bytes.toString('latin1', start, start + 5).toUpperCase();
      if (!'HTTP/'.startsWith(beginning)) return none;
      const end = headEnd(bytes, searched);
      const length = end === -1 ? bytes.length : end;
      if (length > MOST_HEAD || (end === -1 && length === MOST_HEAD)) return none;
      searched = end === -1 ? Math.max(start, length - 2) : end;
      if (end === -1) return null;
      const [line, ...fields] = bytes.toString('latin1', start, length).trimEnd().split(/\r?\n/);
      const status = Number(STATUS.exec(line!)?.[1]);
      if (Number.isNaN(status)) return none;
      if (status < 100 || status >= 200) return { value: { status, headers: fields.map(readField) }, length };
      interim++;
      if (interim > MOST_INTERIM) return none;
      start = length;
    }
  };
}

function readField(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, Math.max(0, colon)).trim().toLowerCase(), line.slice(colon + 1).trim()];
}
