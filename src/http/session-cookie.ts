import type { FastifyRequest } from 'fastify';
import { SESSION_MAX_AGE_MS } from '../account/session-activity.ts';
import { type Failure, failure } from '../domain/failure.ts';

const COOKIE_NAME = 'sluice_session';

/**
 * The token of the session in a Cookie header (RFC 6265 §4.2.1); null: none. Of two cookies of the name one was put
 * there by somebody else, and nobody can tell which: neither is taken.
 */
export function sessionToken(header: string | undefined): string | null {
  if (header === undefined || !header.includes(COOKIE_NAME)) return null;
  let token: string | null = null;
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals === -1 || pair.slice(0, equals).trim() !== COOKIE_NAME) continue;
    if (token !== null) return null;
    token = pair.slice(equals + 1).trim();
  }
  return token === '' ? null : token;
}

/** `Set-Cookie` of a new session. It may outlive the session, which the service alone ends. */
export function sessionCookie(token: string, secure: boolean): string {
  return `${COOKIE_NAME}=${token}; Path=/; Max-Age=${SESSION_MAX_AGE_MS / 1000}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** `Set-Cookie` that takes it away. */
export function expiredSessionCookie(secure: boolean): string {
  return `${COOKIE_NAME}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** Whether the browser speaks TLS, with us or with a proxy that is trusted. @param baseUrl of the service */
export function isSecure(request: Pick<FastifyRequest, 'protocol'>, baseUrl: string): boolean {
  return baseUrl.startsWith('https:') || request.protocol === 'https';
}

type OriginRequest = Pick<FastifyRequest, 'method' | 'host'> & {
  readonly headers: Pick<FastifyRequest['headers'], 'origin'>;
};

/**
 * `auth.origin` for what would change something by session and does not come from a page of our own: browsers send
 * `Origin` with every such request, and pages cannot change it (Fetch standard, "append a request Origin header").
 * @param own the origin of SLUICE_BASE_URL. null: it is not set, and the origin must be the host that was called. That
 * is as safe, for the browser gave the cookie to that host alone.
 */
export function originRefusal(own: string | null, request: OriginRequest): Failure | null {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const { origin } = request.headers;
  if (origin !== undefined && (own === null ? isSameHost(origin, request.host) : origin === own)) return null;
  const wanted = own ?? 'that of the host that is called';
  const given = origin === undefined ? 'none' : JSON.stringify(origin.slice(0, 100));
  return failure(
    'auth.origin',
    `With a session, this needs the Origin header of the service: ${wanted}, got ${given}.`,
  );
}

function isSameHost(origin: string, host: string): boolean {
  const from = URL.parse(origin);
  // With the scheme of the origin, so that a port that goes without saying may be said or not.
  const called = from === null ? null : URL.parse(`${from.protocol}//${host}`);
  return called !== null && called.host !== '' && called.host === from!.host && from!.origin === origin;
}
