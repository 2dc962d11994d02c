import type { Response } from 'playwright-core';
import { urlGlob } from '../../../../base/url-glob.ts';
import type { CapturedExchange } from '../../../../domain/captured.ts';
import type { HeaderList } from '../../../../domain/fetched.ts';
import type { ActionOf } from '../../../../domain/page-action.ts';
import { exchangeBody } from '../capture/exchange-body.ts';
import { sentLines } from '../visit/header-lines.ts';
import { orAborted } from '../visit/raw-body.ts';
import type { Done } from './done.ts';
import type { Turn } from './turn.ts';

/** Bytes of a body that are told. */
const MOST_BODY = 2 ** 20;

/** @param from `performance.now()` when the action before it began */
export async function waitForResponse(
  { url, method, status, capture }: ActionOf<'wait_for_response'>,
  turn: Turn,
  from: number,
): Promise<Done> {
  const glob = urlGlob(url);
  const frame = turn.frameElement === null ? null : await turn.frame();
  const isWanted = (response: Response): boolean =>
    (status === null || response.status() === status) &&
    (method === null || response.request().method() === method) &&
    (frame === null || frameOf(response) === frame) &&
    glob.matches(response.url());
  const response = await turn.stage.responses.next(isWanted, from, turn.signal);
  if (!capture) {
    const result = {
      url: withoutUser(response.url()),
      method: response.request().method(),
      status: response.status(),
    };
    return { result };
  }
  const exchange = await orAborted(exchangeOf(response), turn.signal);
  if (!exchange.truncated) return { exchange };
  return { exchange, cut: `The body was cut at ${MOST_BODY} bytes.` };
}

/** Answers to service workers have none. */
function frameOf(response: Response) {
  try {
    return response.frame();
  } catch {
    return null;
  }
}

async function exchangeOf(response: Response): Promise<CapturedExchange> {
  const request = response.request();
  const [sent, got, whole] = await Promise.all([
    request.headersArray(),
    response.headersArray(),
    // There is none of a redirect, or it was too large for the browser to keep.
    response.body().catch(() => null),
  ]);
  const headers = namesLower(got);
  const told = whole === null ? null : exchangeBody(whole, headers, MOST_BODY);
  return {
    url: withoutUser(response.url()),
    method: request.method(),
    status: response.status(),
    resourceType: request.resourceType(),
    requestHeaders: sentLines(Object.fromEntries(sent.map(({ name, value }) => [name, value]))),
    headers,
    body: told?.body ?? null,
    truncated: told?.truncated ?? false,
  };
}

const namesLower = (list: readonly { name: string; value: string }[]): HeaderList =>
  list.map(({ name, value }) => [name.toLowerCase(), value] as const);

function withoutUser(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.username === '' && url.password === '')) return text;
  url.username = '';
  url.password = '';
  return url.href;
}
