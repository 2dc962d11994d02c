import type { FastifyRequest } from 'fastify';
import type { DialectDeps } from './dialect.ts';

/** Bodies up to this length (bytes) are read whoever sends them. */
const SMALL_BODY = 65_536;

/**
 * Whether the body of a request may be read: it is small, or the key is valid. Without this check anybody could fill the
 * memory with large bodies.
 * @param key null: the caller has none
 */
export async function mayReadBody(
  { callApi }: DialectDeps,
  { headers, ip }: FastifyRequest,
  key: string | null,
): Promise<boolean> {
  const isChunked = headers['transfer-encoding'] !== undefined;
  if (!isChunked && Number(headers['content-length'] ?? 0) <= SMALL_BODY) return true;
  if (key === null) return false;
  const { status } = await callApi({ method: 'GET', path: '/api/v1/scrapers/', key, remoteAddress: ip });
  return status !== 401;
}
