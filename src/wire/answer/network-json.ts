import type { CapturedExchange } from '../../domain/captured.ts';
import { headersJson } from './headers-json.ts';

/** `scraper_data.network[]`: what `capture` asked for. Secrets that were sent are masked, as in `request_headers`. */
export function networkJson(network: readonly CapturedExchange[]): string {
  return `[${network.map(exchangeJson).join(',')}]`;
}

/** One exchange as an object. */
export function exchangeJson(one: CapturedExchange): string {
  const { body } = one;
  const members = {
    url: one.url,
    method: one.method,
    status: one.status,
    resource_type: one.resourceType,
  };
  const text = JSON.stringify(members).slice(0, -1);
  const shown = body === null ? null : (body.text ?? Buffer.from(body.bytes).toString('base64'));
  const encoding = body === null ? 'null' : body.text === null ? '"base64"' : '"utf-8"';
  return `${text},"request_headers":${headersJson(one.requestHeaders, true)},"headers":${headersJson(one.headers, false)},"body":${JSON.stringify(shown)},"body_encoding":${encoding},"truncated":${one.truncated}}`;
}
