import { plural, t } from '@lingui/core/macro';
import type { Schema } from '../api/client.ts';
import { formatDuration } from '../ui/format.ts';
import { OUTCOMES } from '../ui/outcome.tsx';
import { isDirect, routeText } from '../ui/route-name.tsx';
import type { AnyScrape } from './scrape.ts';

/** The outcome in one sentence: `OK: http got the page (200) in 120 ms.` */
export function outcomeSentence(scrape: AnyScrape): string {
  const { router, errors } = scrape;
  const duration = durationText(scrape);
  if (errors[0]?.code === 'request.cancelled')
    return duration === null
      ? t`The client disconnected. The scrape was stopped, and nothing was returned.`
      : t`The client disconnected after ${duration}. The scrape was stopped, and nothing was returned.`;
  if (router.outcome === 'planned') return plannedText(scrape);
  if (router.outcome === 'failed') return failedText(scrape);
  // Only the outcome and the duration were stored.
  if (scrape.status_code === null) return t`${OUTCOMES[router.outcome].meaning} More was not stored.`;
  const facts = [
    t`status ${scrape.status_code}`,
    redirectsText(scrape),
    attemptsText(scrape),
    activeText(scrape),
  ];
  const subject = router.scraper ?? 'Sluice';
  return `${(OUTCOME_TEXTS[router.outcome] ?? OUTCOME_TEXTS.ok!)(scrape, subject)} (${facts.filter((fact) => fact !== null).join(', ')}).`;
}

/** The error message that `outcomeSentence` contains, so that the list of errors need not repeat it. */
export function messageInSentence({ router, errors, status_code }: AnyScrape): string | undefined {
  // The sentence says in its own words what a blocked page is.
  if (router.outcome === 'blocked' && status_code !== null)
    return errors.find(({ code }) => code === 'target.blocked')?.message;
  const inSentence = router.outcome === 'failed' || (router.outcome === 'partial' && status_code !== null);
  return inSentence && errors[0]?.code !== 'request.cancelled' ? errors[0]?.message : undefined;
}

const OUTCOME_TEXTS: Readonly<
  Partial<Record<AnyScrape['router']['outcome'], (scrape: AnyScrape, subject: string) => string>>
> = {
  ok: (_, subject) => t`${subject} got the page`,
  target_error: (_, subject) => t`The site returned an error page; ${subject} fetched it`,
  partial: ({ errors }, subject) =>
    t`${subject} got the page, but not everything requested: ${partialReason(errors[0]?.message)}`,
  unaccepted: (_, subject) =>
    t`${subject} got a page, but it does not meet the accept conditions of the request`,
  blocked: (scrape) => t`Blocked: the site sent ${blockText(scrape)} instead of the content`,
};

const BLOCK_TEXTS: Readonly<Record<string, string>> = {
  challenge: t`a bot challenge`,
  captcha: t`a captcha`,
  block: t`an access-denied page`,
  rate: t`a rate-limit page`,
};
const WALL_TEXTS: Readonly<Record<string, string>> = {
  login: t`a login page`,
  geo: t`a notice that it is not available in this location`,
  consent: t`a consent page`,
  age: t`a page that asks for the age of the visitor`,
  cookies: t`a page that asks for cookies`,
};

function blockText({ router, errors }: AnyScrape): string {
  const wall = errors.find(({ code }) => code === 'target.blocked')?.details?.wall;
  if (router.verdict?.by === 'queue') return t`a waiting room`;
  return WALL_TEXTS[String(wall)] ?? BLOCK_TEXTS[router.verdict?.kind ?? ''] ?? t`a block page`;
}

function attemptsText({ router }: AnyScrape): string | null {
  const count = router.attempts?.length ?? 1;
  return count > 1 ? plural(count, { one: '# attempt', other: '# attempts' }) : null;
}

function redirectsText({ router }: AnyScrape): string | null {
  const count = router.redirects?.length ?? 0;
  return count === 0 ? null : plural(count, { one: '# redirect', other: '# redirects' });
}

function durationText({ router }: AnyScrape): string | null {
  const total = router.timing?.total ?? null;
  return total === null ? null : msText(total);
}

const msText = (ms: number): string => (ms < 1 ? t`less than 1 ms` : formatDuration(ms));

/** Shorter pauses, as before another attempt, are not worth a word. */
const SHORT_PAUSE_MS = 1_000;

/** The duration without a long pause, and the pause; null: there was no long pause. */
function pausedTexts({ router }: AnyScrape): { readonly active: string; readonly pause: string } | null {
  const { total = null, pause = null } = router.timing ?? {};
  if (total === null || pause === null || pause < SHORT_PAUSE_MS) return null;
  return { active: msText(Math.max(0, total - pause)), pause: formatDuration(pause) };
}

function activeText(scrape: AnyScrape): string | null {
  const paused = pausedTexts(scrape);
  if (paused === null) return durationText(scrape);
  const { active, pause } = paused;
  return t`${active}, after a pause of ${pause}`;
}

function plannedText({ router }: AnyScrape): string {
  const first = router.candidates?.find(({ selected }) => selected);
  if (first === undefined) return t`A dry run: nothing was fetched.`;
  return t`A dry run: nothing was fetched. It would start with ${routeText(first.scraper, first.proxy_type, isDirect({ router }))}.`;
}

function failedText(scrape: AnyScrape): string {
  const attempts = scrape.router.attempts?.length ?? 0;
  const [first] = scrape.errors;
  const reason = first === undefined ? OUTCOMES.failed.meaning : decapitalised(first.message);
  if (attempts === 0) return t`Nothing was fetched: ${reason}`;
  const paused = pausedTexts(scrape);
  if (paused !== null) {
    const { active, pause } = paused;
    return attempts === 1
      ? t`No page after ${active}, and a pause of ${pause}: ${reason}`
      : t`No page after ${active} and ${attempts} attempts, with pauses of ${pause}: ${reason}`;
  }
  const duration = durationText(scrape);
  if (attempts === 1)
    return duration === null ? t`No page: ${reason}` : t`No page after ${duration}: ${reason}`;
  return duration === null
    ? t`No page and ${attempts} attempts: ${reason}`
    : t`No page after ${duration} and ${attempts} attempts: ${reason}`;
}

const partialReason = (message: string | undefined): string =>
  message === undefined ? t`see below` : withoutStop(decapitalised(message));

/** Without the full stop at the end. */
const withoutStop = (text: string): string => text.replace(/[.!?]$/, '');

/** Turns a message of the service, which is English, into the second half of another one. A first word in capitals (`DNS`) stays; a missing full stop is added. */
function decapitalised(text: string): string {
  const continued = /^[A-Z][a-z]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;
  return /[.!?]$/.test(continued) ? continued : `${continued}.`;
}

/** A part of a sentence as a text of its own. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type VerdictKind = NonNullable<Schema<'Attempt'>['verdict']>;

/** What each verdict says about the response. */
const VERDICT_TEXTS: Readonly<Record<VerdictKind, string>> = {
  ok: t`looks like the real page`,
  js_shell: t`an empty page that needs JavaScript`,
  challenge: t`a bot challenge instead of the page`,
  captcha: t`a captcha instead of the page`,
  block: t`an access-denied page instead of the page`,
  wall: t`a login, consent or location page instead of the page`,
  rate: t`the site limits the rate (too many requests)`,
  error_page: t`the site's own error page`,
  net: t`no page`,
  empty: t`an empty page`,
};

/** @param status of the response: a page that is not blocked, with an error status, is an error page of the site */
export const verdictText = (kind: VerdictKind, status: number | null): string =>
  VERDICT_TEXTS[kind === 'ok' && isErrorStatus(status) ? 'error_page' : kind];

export const isErrorStatus = (status: number | null): boolean => status !== null && status >= 400;

/** Why a route was excluded, as a text that follows its name. Unknown codes are shown unchanged. */
export function exclusionText(code: string): string {
  const unsupported = /^unsupported_option (\/.+)$/.exec(code);
  if (unsupported !== null) return t`does not support ${unsupported[1]!}`;
  const reason = /^vendor_(.+)$/.exec(code)?.[1];
  if (reason !== undefined) return t`is left alone for a while after failures (${reason})`;
  return EXCLUSION_TEXTS[code] ?? code;
}

const EXCLUSION_TEXTS: Readonly<Record<string, string>> = {
  unavailable: t`is not installed here`,
  auto_identity: t`impersonates a browser, which the operator does not want of auto`,
  auto: t`is not released for auto by the operator`,
  relayed: t`is another Sluice, and the request comes from one already`,
  credentials: t`would get the credentials of the request; see router.forward_credentials`,
  proxy_type: t`has no proxies of this type`,
  daily_cap: t`has cost what may be spent on it in a day`,
  only: t`is not in router.only`,
  ignore: t`is in router.ignore`,
  order: t`is not in router.order, and fallbacks are off`,
  no_price: t`has no price, and the cost is limited`,
  no_bound: t`is paid by the byte, and the cost is limited`,
  max_cost: t`costs more than router.max_cost allows`,
  'route.cost_cap': t`costs more than router.max_cost allows`,
  deadline: t`takes longer than the time left`,
  'scraper.unavailable': t`is not installed here`,
  'scraper.unsupported_option': t`does not support all options of the request`,
  'browser.unavailable': t`has no browser here that fits the request`,
  'proxy.pool_unconfigured': t`has no pool of this type here`,
  'proxy.country_unavailable': t`has no proxy in that country`,
  'proxy.forbidden': t`is not allowed by the operator`,
};
