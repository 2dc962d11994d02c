import { request } from 'node:http';
import { TEST_KEY } from './service.ts';

export interface DiscardedResponse {
  /** null: the connection was lost before the end of the response. */
  readonly status: number | null;
  readonly retryAfter: string | null;
  readonly bytes: number;
  /** The last 4,000 bytes of the response, which contain the end of `router`. */
  readonly tail: string;
}

/** Sends a scrape over a new connection, and discards the response while it arrives, so that it may have any size. */
export function scrapeAndDiscard(
  base: string,
  body: object,
  signal?: AbortSignal,
): Promise<DiscardedResponse> {
  return new Promise((resolve) => {
    let bytes = 0;
    let tail = '';
    let status: number | null = null;
    let retryAfter: string | null = null;
    const lost = () => resolve({ status: null, retryAfter, bytes, tail });
    const headers = { authorization: `Api-Key ${TEST_KEY}`, 'content-type': 'application/json' };
    const options = {
      method: 'POST',
      agent: false as const,
      headers,
      ...(signal === undefined ? {} : { signal }),
    };
    const outgoing = request(`${base}/api/v1/scrape/`, options, (response) => {
      status = response.statusCode ?? null;
      retryAfter = response.headers['retry-after'] ?? null;
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
        tail = (tail + piece.toString('latin1', Math.max(0, piece.length - 4000))).slice(-4000);
      });
      response.once('end', () => resolve({ status, retryAfter, bytes, tail }));
      response.once('error', lost);
    });
    outgoing.once('error', lost);
    outgoing.end(JSON.stringify(body));
  });
}

/** The value of a metric without labels in `/metrics`; NaN: there is none. */
export async function metric(base: string, name: string): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}
