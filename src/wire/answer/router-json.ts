import { inCurrency, type Micro } from '../../domain/micro.ts';
import type { Attempt, Candidate, Scrape } from '../../domain/scrape.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { warningsJson } from './errors-json.ts';
import { headersJson } from './headers-json.ts';

/** `router` of an answer; with `trace: false` only the four members of the interface, outcome and warnings. */
export function routerJson(scrape: Scrape): string {
  const text = `{"scraper":${word(scrape.scraper)},"request_headers":${headersJson(scrape.requestHeaders, true)},"request_cost":${money(scrape.cost)},"proxy_type":${word(scrape.proxyType)},"outcome":"${scrape.outcome}","warnings":${warningsJson(scrape.warnings)}`;
  if (!scrape.job.router.trace) return `${text}}`;
  return `${text},"requested_scraper":"${scrape.job.scraper}","attempts":${attemptsJson(scrape.attempts)},"candidates":${candidatesJson(scrape.candidates)},"stopped":${JSON.stringify(scrape.stopped)},"verdict":${verdictJson(scrape.verdict)},"cost_unit":"${scrape.costUnit}","cost_details":${costDetailsJson(scrape)},"robots":${robotsJson(scrape)},"cache":{"hit":false,"age_ms":null},"timing":${timingJson(scrape.timing)},"redirects":${redirectsJson(scrape)},"remote_ip":${word(scrape.remoteIp)},"body_type":${word(scrape.job.body?.type ?? null)}}`;
}

/** `candidates[]`; also in the problem of a request that nothing can do. */
export function candidatesJson(candidates: readonly Candidate[]): string {
  let text = '[';
  for (let i = 0; i < candidates.length; i++) {
    const one = candidates[i]!;
    text += `${i === 0 ? '' : ','}{"scraper":"${one.scraper}","proxy_type":"${one.proxyType}","est_cost":${number(one.estCost)},"est_success":${number(one.estSuccess)},"selected":${one.selected},"excluded_by":${string(one.excludedBy)}}`;
  }
  return `${text}]`;
}

function attemptsJson(attempts: readonly Attempt[]): string {
  let text = '[';
  for (let i = 0; i < attempts.length; i++) {
    const one = attempts[i]!;
    text += `${i === 0 ? '' : ','}{"n":${one.n},"scraper":"${one.scraper}","proxy_type":"${one.proxyType}","country":${string(one.country)},"outcome":"${one.outcome}","verdict":${word(one.verdict?.kind ?? null)},"status_code":${number(one.statusCode)},"error_code":${word(one.failure?.code ?? null)},"duration_ms":${whole(one.durationMs)},"bytes_out":${one.bytesOut},"bytes_in":${one.bytesIn},"cost":${money(one.cost)},"reason":${JSON.stringify(one.reason)},"reused":${JSON.stringify(one.reused)}}`;
  }
  return `${text}]`;
}

/** What `request_cost` is made of; empty while that is not known. */
function costDetailsJson({ cost, attempts }: Scrape): string {
  if (cost === null || cost === 0) return '[]';
  let text = '[';
  for (const { n, scraper, proxyType, costItems } of attempts)
    for (const { item, quantity, unitPrice, cost } of costItems)
      text += `${text === '[' ? '' : ','}{"attempt":${n},"item":"${item}","name":"${item === 'scraper' ? scraper : proxyType}","quantity":${quantity},"unit_price":${money(unitPrice)},"cost":${money(cost)}}`;
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
  return `{"queue":${whole(t.queue)},"pause":${whole(t.pause)},"dns":${whole(t.dns)},"connect":${whole(t.connect)},"tls":${whole(t.tls)},"ttfb":${whole(t.ttfb)},"download":${whole(t.download)},"load":${whole(t.load)},"wait":${whole(t.wait)},"actions":${whole(t.actions)},"total":${whole(t.total)}}`;
}

function redirectsJson({ redirects }: Scrape): string {
  let text = '[';
  for (let i = 0; i < redirects.length; i++) {
    const hop = redirects[i]!;
    text += `${i === 0 ? '' : ','}{"url":${JSON.stringify(hop.url)},"status_code":${number(hop.statusCode)}}`;
  }
  return `${text}]`;
}

/** Text of ours that needs no escaping. */
function word(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}

function string(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(text);
}

function number(value: number | null): string {
  return value === null ? 'null' : String(value);
}

function money(micro: Micro | null): string {
  return micro === null ? 'null' : String(inCurrency(micro));
}

/** Milliseconds, whole. */
function whole(ms: number | null): string {
  return ms === null ? 'null' : String(Math.round(ms));
}
