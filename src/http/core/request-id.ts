import { randomBytes } from 'node:crypto';

/** The id that the caller sent, so that a request can be traced through several services; otherwise a new one. */
export function requestId(header: string | string[] | undefined): string {
  if (typeof header === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(header)) return header;
  return nextRequestId();
}

const requestIdPrefix = randomBytes(6).toString('hex');
let requestCount = 0;
export const nextRequestId = (): string => `${requestIdPrefix}-${(++requestCount).toString(36)}`;
