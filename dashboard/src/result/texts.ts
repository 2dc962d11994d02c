import type { Schema } from '../api/client.ts';
import { formatDuration } from '../ui/format.ts';
import { OUTCOMES } from '../ui/outcome.tsx';
import type { AnyScrape } from './scrape.ts';

/** The outcome in one sentence: `OK: http got the page (200) in 120 ms.` */
export function outcomeSentence(scrape: AnyScrape): string {
  const { router, errors } = scrape;
  if (errors[0]?.code === 'request.cancelled')
    return `The client disconnected${afterText(scrape)}. The scrape was stopped, and nothing was returned.`;
  if (router.outcome === 'planned') return plannedText(scrape);
  if (router.outcome === 'failed') return failedText(scrape);
  // Only the outcome and the duration were stored.
  if (scrape.status_code === null) return `${OUTCOMES[router.outcome].meaning} More was not stored.`;
  const facts = [
    `status ${scrape.status_code}`,
    redirectsText(scrape),
    attemptsText(scrape),
    durationText(scrape),
  ];
  const subject = router.scraper ?? 'Sluice';
  return `${(OUTCOME_TEXTS[router.outcome] ?? OUTCOME_TEXTS.ok!)(scrape, subject)} (${facts.filter((fact) => fact !== null).join(', ')}).`;
}

/** The error message that `outcomeSentence` contains, so that the list of errors need not repeat it. */
export function messageInSentence({ router, errors, status_code }: AnyScrape): string | undefined {
  const inSentence = router.outcome === 'failed' || (router.outcome === 'partial' && status_code !== null);
  return inSentence && errors[0]?.code !== 'request.cancelled' ? errors[0]?.message : undefined;
}

const OUTCOME_TEXTS: Readonly<
  Partial<Record<AnyScrape['router']['outcome'], (scrape: AnyScrape, subject: string) => string>>
> = {
  ok: (_, subject) => `${subject} got the page`,
  target_error: (_, subject) => `The site returned an error page; ${subject} fetched it`,
  partial: ({ errors }, subject) =>
    `${subject} got the page, but not everything requested: ${withoutStop(decapitalised(errors[0]?.message ?? 'see below'))}`,
  unaccepted: (_, subject) =>
    `${subject} got a page, but it does not meet the accept conditions of the request`,
  blocked: (scrape) => `Blocked: the site sent ${blockText(scrape)} instead of the content`,
};

const BLOCK_TEXTS: Readonly<Record<string, string>> = {
  challenge: 'a bot challenge',
  captcha: 'a captcha',
  block: 'an access-denied page',
  rate: 'a rate-limit page',
};
const WALL_TEXTS: Readonly<Record<string, string>> = {
  login: 'a login page',
  geo: 'a notice that it is not available in this location',
  consent: 'a consent page',
};

function blockText({ router, errors }: AnyScrape): string {
  const wall = errors.find(({ code }) => code === 'target.blocked')?.details?.wall;
  return WALL_TEXTS[String(wall)] ?? BLOCK_TEXTS[router.verdict?.kind ?? ''] ?? 'a block page';
}

function attemptsText({ router }: AnyScrape): string | null {
  const count = router.attempts?.length ?? 1;
  return count > 1 ? `${count} attempts` : null;
}

function redirectsText({ router }: AnyScrape): string | null {
  const count = router.redirects?.length ?? 0;
  return count === 0 ? null : `${count} ${count === 1 ? 'redirect' : 'redirects'}`;
}

function afterText(scrape: AnyScrape): string {
  const duration = durationText(scrape);
  return duration === null ? '' : ` after ${duration}`;
}

function durationText({ router }: AnyScrape): string | null {
  const total = router.timing?.total ?? null;
  return total === null ? null : total < 1 ? 'less than 1 ms' : formatDuration(total);
}

function plannedText({ router }: AnyScrape): string {
  const first = router.candidates?.find(({ selected }) => selected);
  if (first === undefined) return 'A dry run: nothing was fetched.';
  return `A dry run: nothing was fetched. It would start with ${first.scraper} · ${first.proxy_type}.`;
}

function failedText(scrape: AnyScrape): string {
  const attempts = scrape.router.attempts?.length ?? 0;
  const [first] = scrape.errors;
  const reason = decapitalised(first === undefined ? OUTCOMES.failed.meaning : first.message);
  if (attempts === 0) return `Nothing was fetched: ${reason}`;
  return `No page${afterText(scrape)}${attempts > 1 ? ` and ${attempts} attempts` : ''}: ${reason}`;
}

/** Without the full stop at the end. */
const withoutStop = (text: string): string => text.replace(/[.!?]$/, '');

/** Turns a sentence into the second half of another one. A first word in capitals (`DNS`) stays; a missing full stop is added. */
function decapitalised(text: string): string {
  const continued = /^[A-Z][a-z]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;
  return /[.!?]$/.test(continued) ? continued : `${continued}.`;
}

type VerdictKind = NonNullable<Schema<'Attempt'>['verdict']>;

/** What each verdict says about the response. */
const VERDICT_TEXTS: Readonly<Record<VerdictKind, string>> = {
  ok: 'looks like the real page',
  js_shell: 'an empty page that needs JavaScript',
  challenge: 'a bot challenge instead of the page',
  captcha: 'a captcha instead of the page',
  block: 'an access-denied page instead of the page',
  wall: 'a login, consent or location page instead of the page',
  rate: 'the site limits the rate (too many requests)',
  error_page: 'an error page',
  net: 'no response',
  empty: 'an empty page',
};

export const verdictText = (kind: VerdictKind): string => VERDICT_TEXTS[kind];

/** Why a route was excluded, as a text that follows its name. Unknown codes are shown unchanged. */
export function exclusionText(code: string): string {
  const unsupported = /^unsupported_option (\/.+)$/.exec(code);
  if (unsupported !== null) return `does not support ${unsupported[1]}`;
  const reason = /^vendor_(.+)$/.exec(code)?.[1];
  if (reason !== undefined) return `is left alone for a while after failures (${reason})`;
  return EXCLUSION_TEXTS[code] ?? code;
}

const EXCLUSION_TEXTS: Readonly<Record<string, string>> = {
  unavailable: 'is not installed here',
  auto_identity: 'impersonates a browser, which the operator does not want of auto',
  auto: 'is not released for auto by the operator',
  relayed: 'is another Sluice, and the request comes from one already',
  credentials: 'would get the credentials of the request; see router.forward_credentials',
  proxy_type: 'has no proxies of this type',
  daily_cap: 'has cost what may be spent on it in a day',
  only: 'is not in router.only',
  ignore: 'is in router.ignore',
  order: 'is not in router.order, and fallbacks are off',
  no_price: 'has no price, and the cost is limited',
  no_bound: 'is paid by the byte, and the cost is limited',
  max_cost: 'costs more than router.max_cost allows',
  'route.cost_cap': 'costs more than router.max_cost allows',
  deadline: 'takes longer than the time left',
  'scraper.unavailable': 'is not installed here',
  'scraper.unsupported_option': 'does not support all options of the request',
  'browser.unavailable': 'has no browser here that fits the request',
  'proxy.pool_unconfigured': 'has no pool of this type here',
  'proxy.country_unavailable': 'has no proxy in that country',
  'proxy.forbidden': 'is not allowed by the operator',
};
