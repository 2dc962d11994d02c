import type { MemoryReservation } from '../base/memory-budget.ts';
import type { Deadline } from '../base/time.ts';
import { DEFAULT_BROWSER_OPTIONS } from '../domain/browser-options.ts';
import { type Failure, failure, isFailure } from '../domain/failure.ts';
import { RELOGIN_POINTER } from '../domain/profile-option.ts';
import type { ReportProgress, ReportStep } from '../domain/progress.ts';
import type { Step } from '../domain/scrape.ts';
import { DEFAULT_SCRAPER_OPTIONS } from '../domain/scraper-options.ts';
import { isVendor } from '../domain/scrapers.ts';
import type { StorageState } from '../domain/storage-state.ts';
import { isRepeatable, type Task } from '../domain/task.ts';
import type { UrlCheck } from '../domain/url-check.ts';
import type { UsedProfile } from '../ports/profiles.ts';
import type { NextAttempt } from '../router/next.ts';
import { REASONS } from '../router/reasons.ts';
import { type AttemptDeps, runAttempt } from './attempt.ts';
import type { AttemptResult } from './attempt-result.ts';
import { stateAfter, withProfile } from './profile-of-scrape.ts';
import { type ScrapeProgress, spentOn } from './scrape-ending.ts';
import type { SiteLimiter } from './site-limiter.ts';

interface LogInDeps extends AttemptDeps {
  readonly siteLimiter: SiteLimiter;
}

interface LogInRequest {
  readonly task: Task;
  readonly allowUrl: UrlCheck | null;
  readonly reservation: MemoryReservation;
  readonly principal: { readonly userId: string };
  readonly onProgress?: ReportProgress;
}

/**
 * If the last attempt got a page that asks to log in, logs in with the credentials of the profile where the request wants that
 * (`relogin`), once in a scrape: in a browser, on that page, as an attempt of its own.
 * @returns the request again, with the renewed profile; null: it is not to be made again
 */
export async function logInAgain(
  progress: ScrapeProgress,
  deps: LogInDeps,
  request: LogInRequest,
  deadline: Deadline,
): Promise<NextAttempt | null> {
  const { task } = request;
  const { tried, plan, profile, relogin } = progress;
  const last = tried[tried.length - 1];
  if (profile === null || task.options.profile?.relogin !== true || relogin !== null) return null;
  if (last === undefined || last.verdict !== 'wall' || last.fullVerdict.wall !== 'login') return null;
  if (isVendor(last.step.scraper)) return null;
  // A method that is sent once would not be sent again.
  if (!isRepeatable(task.method) && task.router.maxAttempts === null) return null;
  const logIn = () => attemptLogIn({ wall: last, profile }, progress, deps, request, deadline);
  const before = tried.length;
  const isAffordable = plan.affords?.(last.step, spentOn(tried)) !== false;
  const renewed = isAffordable ? await profile.relogin(logIn, deadline.signal) : TOO_EXPENSIVE;
  const isTold = tried.length > before;
  progress.relogin = {
    attempts: isFailure(renewed) ? 0 : tried.length,
    values: profile.values,
    failure: isFailure(renewed) && !isTold ? renewed : null,
  };
  if (isFailure(renewed)) return null;
  progress.profile = renewed;
  return { step: last.step, reason: REASONS.loggedIn, pauseMs: 0, sharesTime: false };
}

const TOO_EXPENSIVE = failure(
  'route.cost_cap',
  'The rest of `max_cost` does not pay for a log-in and the request again.',
  { pointer: RELOGIN_POINTER },
);

/** Logs in, and adds that to the attempts. @returns the state after it */
async function attemptLogIn(
  { wall, profile }: { readonly wall: AttemptResult; readonly profile: UsedProfile },
  progress: ScrapeProgress,
  deps: LogInDeps,
  request: LogInRequest,
  deadline: Deadline,
): Promise<StorageState | Failure> {
  const { allowUrl, reservation, onProgress } = request;
  const { userId } = request.principal;
  const { tried, plan } = progress;
  const step: Step = { scraper: 'browser', proxyType: wall.step.proxyType };
  const price = plan.price?.(step)?.fixed ?? 0;
  const spent = spentOn(tried);
  if (plan.affords?.(step, spent) === false || plan.affords?.(wall.step, spent + price) === false)
    return TOO_EXPENSIVE;
  // Only the best page so far is kept, and another one may be better; then the URL of the request leads there again.
  const { fetched: atWall } = wall;
  const shown = atWall?.page?.finalUrl ?? request.task.url;
  const values = (atWall === null ? null : stateAfter(profile, atWall)) ?? profile.values;
  const n = tried.length + 1;
  const facts = { n, of: n + plan.maxAttempts, ...step };
  const onStep =
    onProgress === undefined ? undefined : (told: Parameters<ReportStep>[0]) => onProgress(told, facts);
  const acquiring = deps.siteLimiter.acquire(
    { url: shown, proxyType: step.proxyType, userId },
    deadline,
    price,
  );
  if (acquiring instanceof Promise) onStep?.({ phase: 'waiting', waitingFor: 'site' });
  const slot = await acquiring;
  progress.queuedMs += slot.waitedMs;
  progress.pausedMs += slot.pausedMs;
  if (slot.failure !== null) return slot.failure;
  let result: AttemptResult | null = null;
  try {
    const chosen = { step, reason: REASONS.logIn, pauseMs: 0, sharesTime: false };
    result = await runAttempt(deps, {
      n,
      task: withProfile(logInTask(request.task, profile, shown), { ...profile, values }, step),
      ...{ profile, chosen, deadline, allowUrl, reservation, userId, onStep },
      used: [],
      document: null,
      clearance: null,
    });
  } finally {
    slot.release(result);
  }
  progress.queuedMs += result.waitedMs;
  const { delivered, fetched } = result;
  if (delivered?.content != null) reservation.free(delivered.content.bytes.buffer);
  const cause = problemOf(result);
  tried.push({
    ...result,
    code: cause?.code ?? null,
    satisfied: false,
    attempt: { ...result.attempt, outcome: cause === null ? 'ok' : 'failed', failure: cause, isLogIn: true },
    fetched: null,
    delivered: null,
    errors: cause === null ? [] : [cause],
    modelTask: null,
  });
  return (
    cause ?? fetched?.page?.storageState ?? failure('login.failed', 'The browser did not tell its state.')
  );
}

/** Nothing of what the request wants of its page, but the visitor that the site knows. */
function logInTask(task: Task, { name }: UsedProfile, url: string): Task {
  const { verifyTls, userAgent, device, viewport, locale, timezone, geolocation } = task.options;
  const { browserType, headless } = task.browser;
  return {
    ...task,
    url,
    host: new URL(url).hostname,
    method: 'GET',
    headers: task.headers.filter(([header]) => header.toLowerCase() === 'accept-language'),
    cookies: [],
    body: null,
    isProxied: false,
    allowRedirects: true,
    requested: [],
    browser: { ...DEFAULT_BROWSER_OPTIONS, browserType, headless, pageActions: [logInAction(name)] },
    options: {
      ...DEFAULT_SCRAPER_OPTIONS,
      ...{ verifyTls, userAgent, device, viewport, locale, timezone, geolocation },
      // What the log-in brings is kept, whatever is kept of the page.
      profile: { name, save: 'on_success', relogin: false },
    },
    template: null,
    router: { ...task.router, accept: null },
    finds: null,
  };
}

const LOG_IN_MS = 30_000;

const logInAction = (profile: string) =>
  ({
    type: 'login',
    profile,
    index: 0,
    pointer: RELOGIN_POINTER,
    id: null,
    timeoutMs: LOG_IN_MS,
    onError: 'stop',
    frame: null,
    optional: false,
    waitAfterMs: 0,
  }) as const;

/** Why the attempt did not log in; null: it did. */
function problemOf({ code, errors, fetched }: AttemptResult): Failure | null {
  if (code !== null) return errors[0]!;
  const action = fetched?.page?.actions?.[0];
  if (action?.status === 'ok') return null;
  const told = fetched?.page?.missingParts?.find(({ pointer }) => pointer === RELOGIN_POINTER);
  const reason =
    told?.message.replace(/^Page action 0 \(login\) failed: /, '') ?? 'the page shows no document';
  return failure(told?.code ?? 'login.failed', `The log-in with the profile failed: ${reason}`, {
    pointer: RELOGIN_POINTER,
  });
}
