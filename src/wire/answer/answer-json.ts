import { type MicroUnits, microToCurrency } from '../../base/numbers.ts';
import type { CapturedExchange } from '../../domain/captures.ts';
import {
  FAILURES,
  type Failure,
  type FailureSource,
  type Warning,
  type WarningCode,
} from '../../domain/failure.ts';
import type { TargetCookie } from '../../domain/fetch-result.ts';
import type { ActionResult } from '../../domain/page-action.ts';
import { SCREENSHOT_NUMBER } from '../../domain/record.ts';
import type { Attempt, Candidate, Delivery, Scrape } from '../../domain/scrape.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { headersJson } from './headers-json.ts';
import { picturePlaceholder } from './picture-links.ts';

/** `scraper_data.network[]`: what `capture` asked for. Secrets that were sent are masked, as in `request_headers`. */
function networkJson(network: readonly CapturedExchange[]): string {
  return `[${network.map(exchangeJson).join(',')}]`;
}

/** One exchange as an object. */
function exchangeJson(one: CapturedExchange): string {
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

/**
 * `scraper_data.actions[]`: what became of the page actions.
 * @param kept false: without what they brought, which is content
 */
function actionsJson(scrape: Scrape, actions: readonly ActionResult[], kept: boolean): string {
  let text = '[';
  // Pictures of actions are numbered in their order, after the one of the page.
  let number = SCREENSHOT_NUMBER;
  for (const action of actions) {
    const { index, id, type, status, durationMs, error } = action;
    if (action.screenshot !== undefined) number++;
    text += `${text === '[' ? '' : ','}{"index":${index},"id":${JSON.stringify(id)},"type":"${type}","status":"${status}","duration_ms":${Math.round(durationMs)}`;
    const result = kept ? resultJson(scrape, action, number) : null;
    if (result !== null) text += `,"result":${result}`;
    if (error !== undefined) text += `,"error":${JSON.stringify(error)}`;
    text += '}';
  }
  return `${text}]`;
}

function resultJson(scrape: Scrape, action: ActionResult, number: number): string | null {
  const { result, exchange, screenshot } = action;
  if (screenshot !== undefined) {
    const { name, width, height, type } = screenshot;
    return `{"name":${JSON.stringify(name)},"url":${picturePlaceholder(scrape, number)},"width":${width},"height":${height},"type":"${type}"}`;
  }
  if (exchange !== undefined) return exchangeJson(exchange);
  return result === undefined ? null : JSON.stringify(result);
}

/** Who a notice is about; the table of failures has it for errors. */
export const WARNING_SOURCES: Readonly<Record<WarningCode, FailureSource>> = {
  'proxy.direct': 'proxy',
  'data.on_get': 'request',
  'wait.networkidle_timeout': 'browser',
  'screenshot.clamped': 'browser',
  'egress.blocked': 'service',
  'content.gzip': 'target',
  'charset.replaced': 'target',
  'page.js_shell': 'target',
  'frames.unread': 'target',
  'json_ld.unread': 'target',
  'page.empty': 'target',
  'page.opened': 'browser',
  'page.download': 'browser',
  'robots.disallowed': 'target',
};

/**
 * `errors[]` (contract §4).
 * @param final nothing may be sent again: a method that is sent once may have reached the target
 */
export function errorsJson(errors: readonly Failure[], final: boolean): string {
  if (errors.length === 0) return '[]';
  let text = '[';
  for (let i = 0; i < errors.length; i++) {
    const { code, message, attempt, pointer, details } = errors[i]!;
    const { source, retryable } = FAILURES[code];
    text += `${i === 0 ? '' : ','}{"code":"${code}","message":${JSON.stringify(message)},"level":"error","source":"${source}","retryable":${retryable && !final}`;
    if (attempt !== undefined) text += `,"attempt":${attempt}`;
    text += pointerAndDetails(pointer, details);
  }
  return `${text}]`;
}

/** `router.warnings[]`. */
function warningsJson(warnings: readonly Warning[]): string {
  if (warnings.length === 0) return '[]';
  let text = '[';
  for (let i = 0; i < warnings.length; i++) {
    const { code, message, pointer, details } = warnings[i]!;
    text += `${i === 0 ? '' : ','}{"code":"${code}","message":${JSON.stringify(message)},"level":"warning","source":"${WARNING_SOURCES[code]}","retryable":false${pointerAndDetails(pointer, details)}`;
  }
  return `${text}]`;
}

function pointerAndDetails(pointer: string | undefined, details: Failure['details']): string {
  const pointing = pointer === undefined ? '' : `,"pointer":${JSON.stringify(pointer)}`;
  return details === undefined ? `${pointing}}` : `${pointing},"details":${JSON.stringify(details)}}`;
}

/** `router` of an answer; with `trace: false` only the four members of the interface, outcome and warnings. */
function routerJson(scrape: Scrape): string {
  const text = `{"scraper":${plainOrNull(scrape.scraper)},"request_headers":${headersJson(scrape.requestHeaders, true)},"request_cost":${currencyOrNull(scrape.cost)},"proxy_type":${plainOrNull(scrape.proxyType)},"outcome":"${scrape.outcome}","warnings":${warningsJson(scrape.warnings)}`;
  if (!scrape.job.router.trace) return `${text}}`;
  return `${text},"requested_scraper":"${scrape.job.scraper}","attempts":${attemptsJson(scrape.attempts)},"candidates":${candidatesJson(scrape.candidates)},"stopped":${JSON.stringify(scrape.stopped)},"verdict":${verdictJson(scrape.verdict)},"cost_unit":"${scrape.costUnit}","cost_details":${costDetailsJson(scrape)},"robots":${robotsJson(scrape)},"cache":{"hit":false,"age_ms":null},"timing":${timingJson(scrape.timing)},"redirects":${redirectsJson(scrape)},"remote_ip":${plainOrNull(scrape.remoteIp)},"body_type":${plainOrNull(scrape.job.body?.type ?? null)}}`;
}

/** `candidates[]`; also in the problem of a request that nothing can do. */
export function candidatesJson(candidates: readonly Candidate[]): string {
  let text = '[';
  for (let i = 0; i < candidates.length; i++) {
    const one = candidates[i]!;
    text += `${i === 0 ? '' : ','}{"scraper":"${one.scraper}","proxy_type":"${one.proxyType}","est_cost":${numberOrNull(one.estCost)},"est_success":${numberOrNull(one.estSuccess)},"selected":${one.selected},"excluded_by":${stringOrNull(one.excludedBy)}}`;
  }
  return `${text}]`;
}

function attemptsJson(attempts: readonly Attempt[]): string {
  let text = '[';
  for (let i = 0; i < attempts.length; i++) {
    const one = attempts[i]!;
    text += `${i === 0 ? '' : ','}{"n":${one.n},"scraper":"${one.scraper}","proxy_type":"${one.proxyType}","country":${stringOrNull(one.country)},"outcome":"${one.outcome}","verdict":${plainOrNull(one.verdict?.kind ?? null)},"status_code":${numberOrNull(one.statusCode)},"error_code":${plainOrNull(one.failure?.code ?? null)},"duration_ms":${roundedOrNull(one.durationMs)},"bytes_out":${one.bytesOut},"bytes_in":${one.bytesIn},"cost":${currencyOrNull(one.cost)},"reason":${JSON.stringify(one.reason)},"reused":${JSON.stringify(one.reused)}}`;
  }
  return `${text}]`;
}

/** What `request_cost` is made of; empty while that is not known. */
function costDetailsJson({ cost, attempts }: Scrape): string {
  if (cost === null || cost === 0) return '[]';
  let text = '[';
  for (const { n, scraper, proxyType, costItems } of attempts)
    for (const { item, quantity, unitPrice, cost } of costItems)
      text += `${text === '[' ? '' : ','}{"attempt":${n},"item":"${item}","name":"${item === 'scraper' ? scraper : proxyType}","quantity":${quantity},"unit_price":${currencyOrNull(unitPrice)},"cost":${currencyOrNull(cost)}}`;
  return `${text}]`;
}

function robotsJson({ robots }: Scrape): string {
  if (robots === null) return 'null';
  const { statusCode, ...same } = robots;
  return JSON.stringify({ ...same, status_code: statusCode });
}

function verdictJson(verdict: Verdict | null): string {
  if (verdict === null) return 'null';
  return `{"kind":"${verdict.kind}","confidence":${verdict.confidence},"signals":${JSON.stringify(verdict.signals)}}`;
}

function timingJson(t: Scrape['timing']): string {
  return `{"queue":${roundedOrNull(t.queue)},"pause":${roundedOrNull(t.pause)},"dns":${roundedOrNull(t.dns)},"connect":${roundedOrNull(t.connect)},"tls":${roundedOrNull(t.tls)},"ttfb":${roundedOrNull(t.ttfb)},"download":${roundedOrNull(t.download)},"load":${roundedOrNull(t.load)},"wait":${roundedOrNull(t.wait)},"actions":${roundedOrNull(t.actions)},"total":${roundedOrNull(t.total)}}`;
}

function redirectsJson({ redirects }: Scrape): string {
  let text = '[';
  for (let i = 0; i < redirects.length; i++) {
    const hop = redirects[i]!;
    text += `${i === 0 ? '' : ','}{"url":${JSON.stringify(hop.url)},"status_code":${numberOrNull(hop.statusCode)}}`;
  }
  return `${text}]`;
}

/** Text of ours that needs no escaping. */
function plainOrNull(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}

function stringOrNull(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(text);
}

function numberOrNull(value: number | null): string {
  return value === null ? 'null' : String(value);
}

function currencyOrNull(micro: MicroUnits | null): string {
  return micro === null ? 'null' : String(microToCurrency(micro));
}

/** Milliseconds, whole. */
function roundedOrNull(ms: number | null): string {
  return ms === null ? 'null' : String(Math.round(ms));
}

/**
 * The scrape response object of the interface as JSON text, without `content`, which `reply.ts` puts in its place after
 * `headers`; addresses of pictures are marks. Every other member is always there. Built as text: this is made for each scrape.
 * @param headersKept false: response headers and what was made of the content are withheld, like the content itself (`retain: metadata`)
 */
export function answerJson(scrape: Scrape, headersKept = true): string {
  const { delivered } = scrape;
  const page = delivered?.page ?? null;
  const encoding = delivered?.content?.encoding ?? null;
  const id = scrape.id === null ? 'null' : `"${scrape.id}"`;
  const encodingText = encoding === null || !headersKept ? 'null' : `"${encoding}"`;
  return `{"id":${id},"status_code":${page === null ? 'null' : page.statusCode},"final_url":${page === null ? 'null' : JSON.stringify(page.finalUrl)},"headers":${headersKept && page !== null ? headersJson(page.headers, false) : '{}'},"content_encoding":${encodingText},"cookies":${page === null ? '[]' : cookiesJson(page.cookies)},"errors":${errorsJson(scrape.errors, scrape.sentOnce)},"screenshot_url":${headersKept ? picturePlaceholder(scrape, SCREENSHOT_NUMBER) : 'null'},"scraper_data":${delivered === null ? '{}' : scraperDataJson(scrape, delivered, headersKept)},"router":${routerJson(scrape)}}`;
}

function scraperDataJson(scrape: Scrape, { charset, data, page }: Delivery, kept: boolean): string {
  let text = charset === null ? '{' : `{"charset":${JSON.stringify(charset)}`;
  if (kept) for (const [name, json] of data) text += `${text === '{' ? '' : ','}"${name}":${json}`;
  if (kept && page.network !== undefined)
    text += `${text === '{' ? '' : ','}"network":${networkJson(page.network)}`;
  if (page.actions !== undefined)
    text += `${text === '{' ? '' : ','}"actions":${actionsJson(scrape, page.actions, kept)}`;
  return `${text}}`;
}

function cookiesJson(cookies: readonly TargetCookie[]): string {
  if (cookies.length === 0) return '[]';
  return JSON.stringify(
    cookies.map(({ name, value, domain, path, expires, secure, httpOnly, sameSite }) => ({
      name,
      value,
      domain,
      path,
      expires,
      secure,
      http_only: httpOnly,
      same_site: sameSite,
    })),
  );
}
