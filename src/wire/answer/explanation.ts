import { microToCurrency } from '../../base/numbers.ts';
import { EFFORT_UNIT } from '../../domain/cost.ts';
import type { FailureCode } from '../../domain/failure.ts';
import { type Attempt, activeMs, type Candidate, type Scrape } from '../../domain/scrape.ts';
import { isVendor } from '../../domain/scrapers.ts';
import { senderOf, type VerdictKind, type Wall } from '../../domain/verdict.ts';

/** Complete a sentence that begins with a method. */
const VERDICT_WORDS: Readonly<Record<VerdictKind, string>> = {
  ok: 'returned the page',
  js_shell: 'returned a page without its content',
  empty: 'returned an empty page',
  challenge: 'met a bot check',
  captcha: 'met a captcha',
  block: 'was refused by the site',
  rate: 'was told to slow down',
  wall: 'got a page that asks its visitor for something',
  error_page: "returned the site's own error page",
  net: 'failed',
};

const WALL_WORDS: Readonly<Record<Wall, string>> = {
  login: 'got a login page',
  geo: 'got a notice that it is not available in this location',
  consent: 'got a consent page',
  age: 'got a page that asks for the age of the visitor',
  cookies: 'got a page that asks for cookies',
};

/** One sentence or two in plain English: what was done for a scrape, why, and what it cost. Made from the facts alone. */
export function explanationOf(scrape: Scrape): string {
  const { attempts, candidates, errors, stopped, outcome } = scrape;
  const selected = candidates.find((candidate) => candidate.selected);
  if (outcome === 'planned')
    return selected === undefined
      ? 'Nothing was fetched: this is a dry run.'
      : `Nothing was fetched: this is a dry run. First would be ${methodOf(selected, isDirect(scrape))}${priceOf(selected, scrape)}.`;
  const last = attempts[attempts.length - 1];
  if (last === undefined)
    return `Nothing was fetched: ${sentencePart(errors[0]?.message ?? 'no method fits')}.`;
  const earlier = attempts.slice(0, -1).map((attempt) => withResult(attempt, scrape));
  const before = earlier.length === 0 ? '' : `${listOf(earlier)}; then `;
  const reason = attempts.length === 1 ? `, ${because(last.reason)}` : '';
  const end = stopped === null ? '' : ` ${stopped.message}`;
  // Names of scrapers stay as they are, also at the beginning.
  return `${before}${withResult(last, scrape)}${reason}. ${total(scrape)}.${end}`;
}

/** Whether the server's own address was used. The proxy type is then `datacenter` all the same. */
const isDirect = ({ warnings }: Scrape): boolean => warnings.some(({ code }) => code === 'proxy.direct');

function methodOf(
  { scraper, proxyType }: Pick<Attempt | Candidate, 'scraper' | 'proxyType'>,
  direct: boolean,
): string {
  // By default a vendor uses its own network.
  if (isVendor(scraper) && proxyType === 'datacenter') return scraper;
  return proxyType === 'none' || (direct && proxyType === 'datacenter')
    ? `${scraper} without a proxy`
    : `${scraper} with a ${proxyType} address`;
}

function withResult(attempt: Attempt, scrape: Scrape): string {
  const { failure, statusCode, outcome } = attempt;
  const method = methodOf(attempt, isDirect(scrape));
  if (outcome === 'cancelled') return `${method} was cancelled`;
  const facts = [
    ...(outcome === 'ok' || failure === null ? [] : [failure.code]),
    ...(statusCode !== null && statusCode >= 400 ? [`status ${statusCode}`] : []),
  ];
  const words = resultWords(attempt);
  return facts.length === 0 ? `${method} ${words}` : `${method} ${words} (${facts.join(', ')})`;
}

function resultWords({ verdict, failure, statusCode, outcome, isLogIn }: Attempt): string {
  if (isLogIn === true) return outcome === 'ok' ? 'logged in' : 'failed to log in';
  if (outcome === 'failed') return 'failed';
  if (verdict?.kind === 'wall' && verdict.wall !== null) return WALL_WORDS[verdict.wall];
  if (verdict !== null && senderOf(verdict) === 'queue') return 'met a waiting room';
  if (verdict !== null && verdict.kind !== 'ok') return VERDICT_WORDS[verdict.kind];
  if (outcome === 'rejected' && failure !== null) return rejectedWords(failure.code);
  return statusCode !== null && statusCode >= 400 ? VERDICT_WORDS.error_page : VERDICT_WORDS.ok;
}

/** For a page that looks right, but was rejected. */
const rejectedWords = (code: FailureCode): string =>
  code === 'accept.unmet'
    ? 'returned a page that does not meet the accept conditions'
    : 'returned the page, but not everything requested';

/** The reason of the router as the end of a sentence. */
const because = (reason: string): string =>
  reason === 'named by the request' ? 'as the request named it' : `because ${sentencePart(reason)}`;

const sentencePart = (text: string): string => text.replace(/\.$/, '');

function listOf(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
}

function total(scrape: Scrape): string {
  const { attempts, cost, costUnit, timing } = scrape;
  const tries = attempts.length === 1 ? 'One attempt' : `${attempts.length} attempts`;
  const pause = timing.pause ?? 0;
  const paused = attempts.length === 1 ? 'after a pause' : 'with pauses';
  const took =
    pause < SHORT_PAUSE_MS
      ? `${tries} took ${seconds(timing.total)}`
      : `${tries} took ${seconds(activeMs(scrape))}, ${paused} of ${seconds(pause)}`;
  if (cost !== null)
    return `${took}${pause < SHORT_PAUSE_MS ? '' : ','} and cost ${microToCurrency(cost)} ${costUnit}`;
  return costUnit === EFFORT_UNIT ? took : `${took}; the cost is not known`;
}

/** Shorter pauses, as before another attempt, are not worth a word. */
const SHORT_PAUSE_MS = 1_000;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function priceOf({ estCost }: Candidate, { costUnit }: Scrape): string {
  return estCost === null || costUnit === EFFORT_UNIT ? '' : `, for about ${estCost} ${costUnit}`;
}
