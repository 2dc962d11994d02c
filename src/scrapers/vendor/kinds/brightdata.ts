import { Type } from 'typebox';
import { closed } from '../../../domain/json-schema.ts';
import type { VendorKindSpec, VendorReply } from '../vendor-kind.ts';
import { answered, bearer, page, postJson, retryAfterMs, statusOrNull, trouble } from './shared.ts';

/**
 * Unlocker API of Bright Data, `POST /request`: https://docs.brightdata.com/api-reference/rest-api/unlocker/unlock-website.
 * Only GET: the description has no way to say the type of a body. `format: raw` keeps the bytes; the status is in a header.
 */
export const BRIGHTDATA: VendorKindSpec = {
  baseUrl: 'https://api.brightdata.com',
  needsKey: true,
  proxyTypes: ['residential'],
  anyProxyType: true,
  options: closed({
    zone: Type.String({ minLength: 1, maxLength: 200, description: 'name of the zone of the Unlocker' }),
  }),
  capabilities: () => ({
    renders: false,
    methods: ['GET'],
    headers: false,
    cookies: false,
    country: true,
    session: false,
    noRedirects: false,
    members: new Set(),
  }),
  /** The API tells no cost. */
  maxCredits: () => null,
  build({ task, settings }) {
    const { country } = task.proxy;
    return postJson(
      '/request',
      {
        zone: settings.options.zone,
        url: task.url,
        format: 'raw',
        method: 'GET',
        ...(country !== null && { country: country.toLowerCase() }),
      },
      { ...bearer(settings), accept: '*/*' },
    );
  },
  read(reply) {
    const requestId = reply.header('x-brd-req-id');
    const code = reply.header('x-brd-error-code') ?? reply.header('x-brd-err-code');
    const error = reply.header('x-brd-error') ?? reply.header('x-brd-err-msg');
    const statusCode = statusOrNull(reply.header('x-brd-status-code'));
    if (reply.status !== 200) return { ...refused(reply), requestId };
    if (code !== null || error !== null)
      return { ...failed(reply, statusCode, `${code ?? ''} ${error ?? ''}`.trim()), requestId };
    return page(reply.body, { statusCode, requestId });
  },
};

/** Refused before anything was sent to the target. */
function refused(reply: VendorReply) {
  const { status } = reply;
  const detail = new TextDecoder().decode(reply.body.subarray(0, 1000));
  const text = answered(status, detail.startsWith('<') ? null : detail);
  if (status === 402 || isAboutMoney(detail)) return trouble('credits', text);
  if (status === 401 || status === 403 || status === 407) return trouble('auth', text);
  if (status === 429) return trouble('throttled', text, { retryAfterMs: retryAfterMs(reply) });
  // The zone is a setting of the operator: every request fails until it is right.
  if (status === 400) return trouble(/zone/i.test(detail) ? 'auth' : 'unsupported', text);
  return trouble('protocol', text);
}

/** https://docs.brightdata.com/scraping-automation/web-unlocker/error-codes */
function failed(reply: VendorReply, status: number | null, detail: string) {
  const text = status === null ? `answered with an error: ${detail.slice(0, 200)}` : answered(status, detail);
  const rest = { retryAfterMs: retryAfterMs(reply) };
  if (isAboutMoney(detail)) return trouble('credits', text);
  if (status === 401 || status === 407) return trouble('auth', text);
  if (status === 429 || detail.includes('rate_limit')) return trouble('throttled', text, rest);
  if (status === 400 || status === 403) return trouble('unsupported', text);
  if (/timeout|timed out/i.test(detail)) return trouble('timeout', text);
  if (status === 502) return trouble('blocked', text);
  return trouble('protocol', text);
}

/** `client_10020`: the account is suspended. */
const isAboutMoney = (detail: string): boolean => /client_10020|suspended|not active|balance/i.test(detail);
