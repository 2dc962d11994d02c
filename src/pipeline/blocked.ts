import { type Failure, failure, WARNINGS, type Warning } from '../domain/failure.ts';
import type { Accept } from '../domain/job.ts';
import { isBlocked, type Verdict, type VerdictKind } from '../domain/verdict.ts';

const WHAT: Partial<Record<VerdictKind, string>> = {
  challenge: 'a challenge for browsers',
  captcha: 'a captcha',
  block: 'a refusal of programs',
};
const WALL = {
  login: 'a demand to sign in',
  geo: 'a refusal of visitors from here',
  consent: 'a demand to consent',
};

/** What a page is taken for in choosing and ending: who says by its content what success is, knows better. */
export function kindFor({ kind }: Verdict, accept: Accept | null, met: boolean): VerdictKind {
  const seen = accept !== null && (accept.selector ?? accept.contains ?? accept.jsonPath) !== null;
  return seen && met && (isBlocked(kind) || kind === 'js_shell' || kind === 'empty') ? 'ok' : kind;
}

/** `target.blocked`, with what was missing where the page tells it. */
export function blockedBy({ kind, wall, failed, signals }: Verdict): Failure {
  const what = wall === null ? (WHAT[kind] ?? 'a wall') : WALL[wall];
  return failure(
    'target.blocked',
    `The target answered with ${what} instead of the page (${signals.join(', ')}).`,
    {
      details: wall === null ? { verdict: kind, failed } : { verdict: kind, failed, wall },
    },
  );
}

const STILL_BARE =
  'The page showed nothing when it was read, though its scripts ran. What it waits for may come later: see wait_for_selector and wait_for_load_state.';

const LEADS_ON = 'The page leads to another one by itself, which only a browser follows.';
const LEADING = new Set(['shell/refresh-header', 'shell/meta-refresh', 'shell/script-redirect']);

/** What the caller should know of a page that shows nothing, or is not the one that its readers get to. */
export function noticeOf({ kind, signals }: Verdict, scriptsRan: boolean): Warning | null {
  if (kind === 'empty') return { code: 'page.empty', message: WARNINGS['page.empty'] };
  if (kind !== 'js_shell') return null;
  if (LEADING.has(signals[0]!)) return { code: 'page.js_shell', message: LEADS_ON };
  return { code: 'page.js_shell', message: scriptsRan ? STILL_BARE : WARNINGS['page.js_shell'] };
}
