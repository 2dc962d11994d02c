import createClient from 'openapi-fetch';
import { BASE_PATH } from '../app/served.ts';
import { ApiError } from './api-error.ts';
import type { paths } from './schema.gen.ts';

/** The API of the service, with the types of its description. Wrap each call in `answerOf`. */
export const api = createClient<paths>({ baseUrl: BASE_PATH, credentials: 'same-origin' });

interface Settled {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of the answer, `undefined` for one without; throws `ApiError` for all else. */
export async function answerOf<One extends Settled>(
  call: Promise<One>,
): Promise<Exclude<One['data'], undefined>> {
  const settled = await call.catch((error: unknown) => {
    // Ended by the page itself, which knows.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw ApiError.noAnswer();
  });
  if (!settled.response.ok) throw ApiError.ofAnswer(settled.response, settled.error);
  return settled.data as Exclude<One['data'], undefined>;
}
