import type { FastifyRequest } from 'fastify';
import { LONGEST_MS } from '../account/session-life.ts';

const NAME = 'sluice_session';

/**
 * The token of the session in a Cookie header (RFC 6265 §4.2.1); null: none. Of two cookies of the name one was put
 * there by somebody else, and nobody can tell which: neither is taken.
 */
export function sessionToken(header: string | undefined): string | null {
  if (header === undefined || !header.includes(NAME)) return null;
  let token: string | null = null;
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals === -1 || pair.slice(0, equals).trim() !== NAME) continue;
    if (token !== null) return null;
    token = pair.slice(equals + 1).trim();
  }
  return token === '' ? null : token;
}

/** `Set-Cookie` of a new session. It may outlive the session, which the service alone ends. */
export function sessionCookie(token: string, secure: boolean): string {
  return `${NAME}=${token}; Path=/; Max-Age=${LONGEST_MS / 1000}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** `Set-Cookie` that takes it away. */
export function noSessionCookie(secure: boolean): string {
  return `${NAME}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** Whether the browser speaks TLS, with us or with a proxy that is trusted. @param baseUrl of the service */
export function isSecure(request: Pick<FastifyRequest, 'protocol'>, baseUrl: string): boolean {
  return baseUrl.startsWith('https:') || request.protocol === 'https';
}
