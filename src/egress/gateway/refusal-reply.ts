import type { Failure } from '../../domain/failure.ts';

export const MALFORMED = '400 Bad Request';
export const TOO_LONG = '431 Request Header Fields Too Large';

/** The status line's end for a failure. It is for people who look on; the cause is told by the trip. */
export function statusOf({ code }: Failure): string {
  if (code.startsWith('policy.')) return '403 Forbidden';
  if (code === 'service.unavailable') return '503 Service Unavailable';
  return code === 'connect.timeout' ? '504 Gateway Timeout' : '502 Bad Gateway';
}

/**
 * An answer of the gateway's own, which ends the connection. To an engine it is none: its two lengths make it an error that
 * cannot be recovered from (RFC 9112 §6.3), and that is not tried again as a lost connection is. So a page learns of it no
 * more than that nothing came, and no answer of a target can be taken for one of these.
 */
export function refusalReply(status: string): string {
  return `HTTP/1.1 ${status}\r\nCache-Control: no-store\r\nContent-Length: 0\r\nContent-Length: 1\r\nConnection: close\r\n\r\n`;
}
