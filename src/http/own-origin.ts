import type { FastifyRequest } from 'fastify';
import { type Failure, failure } from '../domain/failure.ts';

type Asked = Pick<FastifyRequest, 'method' | 'host'> & {
  readonly headers: Pick<FastifyRequest['headers'], 'origin'>;
};

/**
 * `auth.origin` for what would change something by session and does not come from a page of our own: browsers send
 * `Origin` with every such request, and pages cannot change it (Fetch standard, "append a request Origin header").
 * @param own the origin of SLUICE_BASE_URL. null: it is not set, and the origin must be the host that was called. That
 * is as safe, for the browser gave the cookie to that host alone.
 */
export function originRefusal(own: string | null, request: Asked): Failure | null {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const { origin } = request.headers;
  if (origin !== undefined && (own === null ? isHost(origin, request.host) : origin === own)) return null;
  const wanted = own ?? 'that of the host that is called';
  const given = origin === undefined ? 'none' : JSON.stringify(origin.slice(0, 100));
  return failure(
    'auth.origin',
    `With a session, this needs the Origin header of the service: ${wanted}, got ${given}.`,
  );
}

function isHost(origin: string, host: string): boolean {
  const from = URL.parse(origin);
  // With the scheme of the origin, so that a port that goes without saying may be said or not.
  const called = from === null ? null : URL.parse(`${from.protocol}//${host}`);
  return called !== null && called.host !== '' && called.host === from!.host && from!.origin === origin;
}
