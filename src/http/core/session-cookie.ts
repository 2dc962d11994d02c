import type { FastifyRequest } from 'fastify';
import { SESSION_MAX_AGE_MS } from '../../account/session-activity.ts';
import { type Failure, failure } from '../../domain/failure.ts';

const COOKIE_NAME = 'sluice_session';

/** The session token in a Cookie header; see `cookieValue`. */
export const sessionToken = (header: string | undefined): string | null => cookieValue(header, COOKIE_NAME);

/**
 * The value of a cookie in a Cookie header (RFC 6265 §4.2.1); null if there is none. If there are two cookies of this name,
 * another site of the same domain has set one of them: as they cannot be told apart, neither is used.
 */
export function cookieValue(header: string | undefined, name: string): string | null {
  if (header === undefined || !header.includes(name)) return null;
  let value: string | null = null;
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals === -1 || pair.slice(0, equals).trim() !== name) continue;
    if (value !== null) return null;
    value = pair.slice(equals + 1).trim();
  }
  return value === '' ? null : value;
}

/** `Set-Cookie` for a new session. The cookie may live longer than the session, whose end is decided by the service. */
export function sessionCookie(token: string, secure: boolean): string {
  return `${COOKIE_NAME}=${token}; Path=/; Max-Age=${SESSION_MAX_AGE_MS / 1000}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** `Set-Cookie` that removes the cookie. */
export function expiredSessionCookie(secure: boolean): string {
  return `${COOKIE_NAME}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** Whether the browser uses TLS, to the service or to a trusted proxy. @param baseUrl of the service */
export function isSecure(request: Pick<FastifyRequest, 'protocol'>, baseUrl: string): boolean {
  return baseUrl.startsWith('https:') || request.protocol === 'https';
}

type OriginRequest = Pick<FastifyRequest, 'method' | 'host'> & {
  readonly headers: Pick<FastifyRequest['headers'], 'origin'>;
};

/**
 * Protects sessions against requests forged by other sites (CSRF): `auth.origin`, unless the request changes nothing or comes
 * from a page of this service. Browsers send `Origin` with every such request, and pages cannot change it (Fetch standard,
 * "append a request Origin header").
 * @param serviceOrigin the origin of SLUICE_BASE_URL. null: not set; then the origin must be the requested host, which is as
 *   safe, because the browser sends the cookie only to that host
 */
export function originRefusal(serviceOrigin: string | null, request: OriginRequest): Failure | null {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const { origin } = request.headers;
  const isOwnPage =
    origin !== undefined &&
    (serviceOrigin === null ? isSameHost(origin, request.host) : origin === serviceOrigin);
  if (isOwnPage) return null;
  const wanted = serviceOrigin ?? 'that of the host that is called';
  const received = origin === undefined ? 'none' : JSON.stringify(origin.slice(0, 100));
  return failure(
    'auth.origin',
    `With a session, this needs the Origin header of the service: ${wanted}, got ${received}.`,
  );
}

function isSameHost(origin: string, host: string): boolean {
  const originUrl = URL.parse(origin);
  // Parsed with the scheme of the origin, which removes its default port from both.
  const hostUrl = originUrl === null ? null : URL.parse(`${originUrl.protocol}//${host}`);
  return (
    hostUrl !== null &&
    hostUrl.host !== '' &&
    hostUrl.host === originUrl!.host &&
    originUrl!.origin === origin
  );
}
