import type { Response } from 'playwright-core';
import { urlGlob } from '../../../base/url-patterns.ts';
import { orAborted, sleep } from '../../../base/wait.ts';
import type { CapturedExchange } from '../../../domain/captures.ts';
import type { HeaderList } from '../../../domain/fetch-result.ts';
import type { ActionOf } from '../../../domain/page-action.ts';
import { capturedBody } from '../network-capture.ts';
import { toRequestHeaders, withoutUserinfo } from '../response.ts';
import { waitForNetworkIdle } from '../waits.ts';
import { type ActionContext, type ActionOutcome, NO_RESULT } from './action-context.ts';

export async function wait({ ms }: ActionOf<'wait'>, { signal }: ActionContext): Promise<ActionOutcome> {
  await sleep(ms, signal);
  signal.throwIfAborted();
  return NO_RESULT;
}

export async function waitForSelector(
  { at, state }: ActionOf<'wait_for_selector'>,
  context: ActionContext,
): Promise<ActionOutcome> {
  await context.locate(at).waitFor({ state, timeout: context.remainingMs });
  return NO_RESULT;
}

export async function waitForUrl(
  { url }: ActionOf<'wait_for_url'>,
  context: ActionContext,
): Promise<ActionOutcome> {
  const glob = urlGlob(url);
  const frame = await context.frame();
  const matches = ({ href }: URL) => glob.matches(href);
  await frame.waitForURL(matches, { timeout: context.remainingMs, waitUntil: 'commit' });
  return { result: { url: frame.url() } };
}

export async function waitForLoadState(
  { state }: ActionOf<'wait_for_load_state'>,
  { env, signal }: ActionContext,
): Promise<ActionOutcome> {
  if (state === 'commit') return NO_RESULT;
  if (state !== 'networkidle') {
    await orAborted(
      env.mainFrame.waitForLoadState(state === 'domcontentloaded' ? 'DOMContentLoaded' : 'load'),
      signal,
    );
    return NO_RESULT;
  }
  const warnings = await waitForNetworkIdle(env, signal);
  signal.throwIfAborted();
  return warnings.length === 0 ? NO_RESULT : { warnings };
}

/** Longer bodies are cut. */
const MAX_BODY_BYTES = 2 ** 20;

/** @param from `performance.now()` at the start of the previous action */
export async function waitForResponse(
  { url, method, status, capture }: ActionOf<'wait_for_response'>,
  context: ActionContext,
  from: number,
): Promise<ActionOutcome> {
  const glob = urlGlob(url);
  const frame = context.frameElement === null ? null : await context.frame();
  const isMatch = (response: Response): boolean =>
    (status === null || response.status() === status) &&
    (method === null || response.request().method() === method) &&
    (frame === null || frameOf(response) === frame) &&
    glob.matches(response.url());
  const response = await context.env.responses.waitFor(isMatch, from, context.signal);
  if (!capture) {
    const result = {
      url: withoutUserinfo(response.url()),
      method: response.request().method(),
      status: response.status(),
    };
    return { result };
  }
  const exchange = await orAborted(toCapturedExchange(response), context.signal);
  if (!exchange.truncated) return { exchange };
  return { exchange, truncation: `The body was cut at ${MAX_BODY_BYTES} bytes.` };
}

/** null: a response to a service worker. */
function frameOf(response: Response) {
  try {
    return response.frame();
  } catch {
    return null;
  }
}

async function toCapturedExchange(response: Response): Promise<CapturedExchange> {
  const request = response.request();
  const [requestHeaders, responseHeaders, bytes] = await Promise.all([
    request.headersArray(),
    response.headersArray(),
    // null: a redirect has no body, or it was too large for the browser to keep.
    response.body().catch(() => null),
  ]);
  const headers = lowerCaseNames(responseHeaders);
  const captured = bytes === null ? null : capturedBody(bytes, headers, MAX_BODY_BYTES);
  return {
    url: withoutUserinfo(response.url()),
    method: request.method(),
    status: response.status(),
    resourceType: request.resourceType(),
    requestHeaders: toRequestHeaders(
      Object.fromEntries(requestHeaders.map(({ name, value }) => [name, value])),
    ),
    headers,
    body: captured?.body ?? null,
    truncated: captured?.truncated ?? false,
    startedMs: null,
    durationMs: null,
  };
}

const lowerCaseNames = (list: readonly { name: string; value: string }[]): HeaderList =>
  list.map(({ name, value }) => [name.toLowerCase(), value] as const);
