import type { Failure } from '../../domain/failure.ts';
import { GATEWAY_HEADER } from './gateway.ts';

export const MALFORMED = '400 Bad Request';
export const TOO_LONG = '431 Request Header Fields Too Large';

/** The status line's end for a failure. It is for people who look on; the cause is told by the trip. */
export function statusOf({ code }: Failure): string {
  if (code.startsWith('policy.')) return '403 Forbidden';
  if (code === 'service.unavailable') return '503 Service Unavailable';
  return code === 'connect.timeout' ? '504 Gateway Timeout' : '502 Bad Gateway';
}

/** An answer of the gateway's own. It has no body, is kept by no cache, and ends the connection. */
export function refusalReply(status: string, nonce: string): string {
  return `HTTP/1.1 ${status}\r\n${GATEWAY_HEADER}: ${nonce}\r\nCache-Control: no-store\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
}
