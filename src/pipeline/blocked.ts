import { type Failure, failure, WARNINGS, type Warning } from '../domain/failure.ts';
import type { Accept } from '../domain/job.ts';
import { isBlocked, type Verdict, type VerdictKind } from '../domain/verdict.ts';

const WHAT: Partial<Record<VerdictKind, string>> = {
  challenge: 'a bot challenge',
  captcha: 'a captcha',
  block: 'an access-denied page',
};
const WALL = {
  login: 'a login page',
  geo: 'a notice that it is not available in this location',
  consent: 'a consent page',
};

/** What a page is taken for in choosing and ending: who says by its content what success is, knows better. */
export function kindFor({ kind }: Verdict, accept: Accept | null, met: boolean): VerdictKind {
  const seen = accept !== null && (accept.selector ?? accept.contains ?? accept.jsonPath) !== null;
  return seen && met && (isBlocked(kind) || kind === 'js_shell' || kind === 'empty') ? 'ok' : kind;
}

/** `target.blocked`, with what was missing where the page tells it. */
export function blockedBy({ kind, wall, failed, signals }: Verdict): Failure {
  const what = wall === null ? (WHAT[kind] ?? 'a block page') : WALL[wall];
  return failure('target.blocked', `The site sent ${what} instead of the page (${signals.join(', ')}).`, {
    details: wall === null ? { verdict: kind, failed } : { verdict: kind, failed, wall },
  });
}

const STILL_BARE =
  'The page was empty when it was read, although its scripts ran. It may load content later: set wait_for_selector or wait_for_load_state.';

const LEADS_ON =
  'The page redirects by script or refresh, which only a browser follows. Try `scraper: browser`.';
const LEADING = new Set(['shell/refresh-header', 'shell/meta-refresh', 'shell/script-redirect']);

/** What the caller should know of a page that shows nothing, or is not the one that its readers get to. */
export function noticeOf({ kind, signals }: Verdict, scriptsRan: boolean): Warning | null {
  if (kind === 'empty') return { code: 'page.empty', message: WARNINGS['page.empty'] };
  if (kind !== 'js_shell') return null;
  if (LEADING.has(signals[0]!)) return { code: 'page.js_shell', message: LEADS_ON };
  return { code: 'page.js_shell', message: scriptsRan ? STILL_BARE : WARNINGS['page.js_shell'] };
}
