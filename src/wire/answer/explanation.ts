import { microToCurrency } from '../../base/numbers.ts';
import { EFFORT_UNIT } from '../../domain/cost.ts';
import type { Attempt, Candidate, Scrape } from '../../domain/scrape.ts';
import type { VerdictKind } from '../../domain/verdict.ts';

/** Complete a sentence that begins with a method. */
const VERDICT_WORDS: Readonly<Record<VerdictKind, string>> = {
  ok: 'returned the page',
  js_shell: 'returned a page without its content',
  empty: 'returned an empty page',
  challenge: 'met a bot check',
  captcha: 'met a captcha',
  block: 'was refused by the site',
  rate: 'was told to slow down',
  wall: 'met a log-in or a paywall',
  error_page: 'returned an error page',
  net: 'failed',
};

/** One sentence or two in plain English: what was done for a scrape, why, and what it cost. Made from the facts alone. */
export function explanationOf(scrape: Scrape): string {
  const { attempts, candidates, errors, stopped, outcome } = scrape;
  const selected = candidates.find((candidate) => candidate.selected);
  if (outcome === 'planned')
    return selected === undefined
      ? 'Nothing was fetched: this is a dry run.'
      : `Nothing was fetched: this is a dry run. First would be ${methodOf(selected)}${priceOf(selected, scrape)}.`;
  const last = attempts[attempts.length - 1];
  if (last === undefined)
    return `Nothing was fetched: ${sentencePart(errors[0]?.message ?? 'no method fits')}.`;
  const earlier = attempts.slice(0, -1).map(withResult);
  const before = earlier.length === 0 ? '' : `${listOf(earlier)}; then `;
  const reason = attempts.length === 1 ? `, ${because(last.reason)}` : '';
  const end = stopped === null ? '' : ` ${stopped.message}`;
  // Names of scrapers stay as they are, also at the beginning.
  return `${before}${withResult(last)}${reason}. ${total(scrape)}.${end}`;
}

const methodOf = ({ scraper, proxyType }: Pick<Attempt | Candidate, 'scraper' | 'proxyType'>): string =>
  proxyType === 'none' ? `${scraper} without a proxy` : `${scraper} with a ${proxyType} address`;

function withResult(attempt: Attempt): string {
  const { verdict, failure, statusCode, outcome } = attempt;
  const status = statusCode !== null && statusCode >= 400 ? ` (status ${statusCode})` : '';
  if (outcome === 'cancelled') return `${methodOf(attempt)} was cancelled`;
  if (outcome === 'ok' || failure === null)
    return `${methodOf(attempt)} ${VERDICT_WORDS[verdict?.kind ?? 'ok']}${status}`;
  const words = verdict === null || verdict.kind === 'net' ? 'failed' : VERDICT_WORDS[verdict.kind];
  return `${methodOf(attempt)} ${words} (${failure.code})${status}`;
}

/** The reason of the router as the end of a sentence. */
const because = (reason: string): string =>
  reason === 'named by the request' ? 'as the request named it' : `because ${sentencePart(reason)}`;

const sentencePart = (text: string): string => text.replace(/\.$/, '');

function listOf(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
}

function total({ attempts, cost, costUnit, timing }: Scrape): string {
  const seconds = `${(timing.total / 1000).toFixed(1)} s`;
  const tries = attempts.length === 1 ? 'One attempt' : `${attempts.length} attempts`;
  if (cost !== null) return `${tries} took ${seconds} and cost ${microToCurrency(cost)} ${costUnit}`;
  return costUnit === EFFORT_UNIT
    ? `${tries} took ${seconds}`
    : `${tries} took ${seconds}; the cost is not known`;
}

function priceOf({ estCost }: Candidate, { costUnit }: Scrape): string {
  return estCost === null || costUnit === EFFORT_UNIT ? '' : `, for about ${estCost} ${costUnit}`;
}
