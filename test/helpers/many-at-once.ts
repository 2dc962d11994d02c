import { request } from 'node:http';
import { TEST_KEY } from './service.ts';

export interface Ended {
  /** null: the connection broke off. */
  readonly status: number | null;
  readonly retryAfter: string | null;
  readonly bytes: number;
  /** The last 4,000 bytes: the end of `router` stands there. */
  readonly tail: string;
}

/** One scrape over a connection of its own, whose answer is thrown away as it comes, however large. */
export function scrapeAway(base: string, body: object, signal?: AbortSignal): Promise<Ended> {
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
    const asked = request(`${base}/api/v1/scrape/`, options, (answer) => {
      status = answer.statusCode ?? null;
      retryAfter = answer.headers['retry-after'] ?? null;
      answer.on('data', (piece: Buffer) => {
        bytes += piece.length;
        tail = (tail + piece.toString('latin1', Math.max(0, piece.length - 4000))).slice(-4000);
      });
      answer.once('end', () => resolve({ status, retryAfter, bytes, tail }));
      answer.once('error', lost);
    });
    asked.once('error', lost);
    asked.end(JSON.stringify(body));
  });
}

/** A number of `/metrics`. */
export async function metric(base: string, name: string): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}
