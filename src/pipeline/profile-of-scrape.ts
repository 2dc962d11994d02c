import { WARNINGS, type Warning } from '../domain/failure.ts';
import type { FetchResult, HeaderList, Page, TargetCookie } from '../domain/fetch-result.ts';
import type { ActionResult } from '../domain/page-action.ts';
import type { Scrape, Step } from '../domain/scrape.ts';
import { isBrowser } from '../domain/scrapers.ts';
import { SecretMask } from '../domain/secret-mask.ts';
import type { StorageState, StoredCookie } from '../domain/storage-state.ts';
import type { CallerCookie, Task } from '../domain/task.ts';
import type { UsedProfile } from '../ports/profiles.ts';
import type { ScrapeProgress } from './scrape-ending.ts';

const MASK = '***';
/** Shorter values are words of every page, and no secrets. */
const MIN_SECRET = 4;
/** Pages store much that is no secret. */
const MIN_STORED_SECRET = 8;
/** What looks like the random value of a session or a token. Addresses and long values of pages have other words also. */
const TOKEN = /^(?=.*\d)(?!\/|.*:\/\/)\S{16,}$/;
/** How long the exit of a profile stays the same, in ms: the longest that a session can live. */
const SESSION_TTL_MS = 3_600_000;

/** The task for a step with what the profile brings. What the caller sets has precedence. */
export function withProfile(task: Task, { values, identity, exit }: UsedProfile, { scraper }: Step): Task {
  const { options, headers, proxy } = task;
  const hasLanguage = headers.some(([name]) => name.toLowerCase() === 'accept-language');
  const locale = identity?.locale ?? null;
  const shared: Task = {
    ...task,
    proxy:
      exit === null || proxy.session !== null
        ? proxy
        : {
            ...proxy,
            session: exit.session,
            sessionTtlMs: SESSION_TTL_MS,
            country: proxy.country ?? exit.country,
          },
    options: { ...options, userAgent: options.userAgent ?? identity?.userAgent ?? null },
  };
  if (isBrowser(scraper))
    return {
      ...shared,
      options: {
        ...shared.options,
        storageState: values,
        device: options.device ?? identity?.device ?? null,
        locale: options.locale ?? (hasLanguage ? null : locale),
      },
    };
  const own = new Set(task.cookies.map(({ name }) => name));
  return {
    ...shared,
    headers: locale === null || hasLanguage ? headers : [...headers, ['accept-language', locale]],
    cookies: [...task.cookies, ...values.cookies.filter(({ name }) => !own.has(name)).map(callerCookie)],
  };
}

function callerCookie(cookie: StoredCookie): CallerCookie {
  const { name, value, domain, path, secure, httpOnly, sameSite, expires, partition } = cookie;
  return {
    ...{ name, value, path, secure, httpOnly },
    domain: domain.replace(/^\./, ''),
    ...(domain.startsWith('.') ? {} : { hostOnly: true }),
    ...(partition === undefined ? {} : { partition }),
    sameSite: sameSite.toLowerCase() as CallerCookie['sameSite'],
    expires: expires === -1 ? null : expires,
  };
}

/**
 * Ends the use of the profile: keeps what the site renewed, notes a log-in page, and takes its values out of the scrape, before
 * anything of it is returned, stored or sent.
 */
export async function endProfile(
  scrape: Scrape,
  profile: UsedProfile,
  { tried, relogin }: Pick<ScrapeProgress, 'tried' | 'relogin'>,
): Promise<Scrape> {
  const result = tried.find(({ delivered }) => delivered !== null && delivered === scrape.delivered);
  const after = result?.fetched == null ? null : stateAfter(profile, result.fetched);
  const masked = withoutSecrets(scrape, secretsOf(scrape, profile.values, after, relogin?.values ?? null));
  const asksToLogIn = scrape.verdict?.wall === 'login';
  if (tried.some(({ fetched }) => hasFailedToLogIn(fetched?.page?.actions, asksToLogIn)))
    profile.logInFailed();
  if (asksToLogIn) {
    await profile.loggedOut(scrape.id);
    return masked;
  }
  if (after === null || result?.verdict !== 'ok' || scrape.task.options.profile?.save !== 'on_success')
    return masked;
  const saving = await profile.save(after);
  if (saving === 'saved' || saving === 'unchanged') return masked;
  const code = saving === 'conflict' ? 'profile.conflict' : 'profile.not_saved';
  const warning: Warning = { code, message: WARNINGS[code], pointer: '/scraper_options/profile' };
  return { ...masked, warnings: [...masked.warnings, warning] };
}

/** @param asksToLogIn whether the page at the end asks to log in */
const hasFailedToLogIn = (actions: readonly ActionResult[] = [], asksToLogIn: boolean): boolean =>
  actions.some(
    ({ type, status, error }) =>
      type === 'login' && (error?.code === 'login.failed' || (asksToLogIn && status === 'ok')),
  );

/** The state at the end: of a browser all that it has; of an HTTP client what it began with, and the cookies that came. */
export function stateAfter({ values }: UsedProfile, { page }: FetchResult): StorageState | null {
  if (page === null) return null;
  if (page.storageState !== undefined) return page.storageState;
  const came = page.cookies.map(storedCookie);
  const isReplaced = (cookie: StoredCookie) => came.some((other) => isSame(cookie, other));
  return { ...values, cookies: [...values.cookies.filter((cookie) => !isReplaced(cookie)), ...came] };
}

const isSame = (a: StoredCookie, b: StoredCookie): boolean =>
  a.name === b.name && a.path === b.path && withoutDot(a.domain) === withoutDot(b.domain);
const withoutDot = (domain: string): string => domain.replace(/^\./, '');

function storedCookie(cookie: TargetCookie): StoredCookie {
  const { name, value, domain, path, expires, httpOnly, secure, subdomains } = cookie;
  return {
    ...{ name, value, path, httpOnly, secure },
    domain: subdomains === true ? `.${domain}` : domain,
    expires: expires ?? -1,
    sameSite: SAME_SITE[cookie.sameSite?.toLowerCase() ?? ''] ?? 'Lax',
  };
}

const SAME_SITE: Readonly<Record<string, StoredCookie['sameSite']>> = {
  strict: 'Strict',
  lax: 'Lax',
  none: 'None',
};

/** The values that must not be told. Only a browser has those of the storage. */
function secretsOf(scrape: Scrape, ...states: readonly (StorageState | null)[]): ReadonlySet<string> {
  const secrets = new Set<string>();
  const inBrowser = scrape.attempts.some(({ scraper }) => isBrowser(scraper));
  for (const state of states) {
    for (const { value } of state?.cookies ?? []) addText(value, MIN_SECRET, secrets);
    if (!inBrowser) continue;
    for (const { localStorage, indexedDB } of state?.origins ?? [])
      addTexts([localStorage.map(({ value }) => value), indexedDB?.map(recordsOf)], addStored, secrets);
  }
  return secrets;
}

type Add = (text: string, texts: Set<string>) => void;
const addStored: Add = (text, texts) => addText(text, MIN_STORED_SECRET, texts);
const addToken: Add = (text, texts) => void (TOKEN.test(text) && texts.add(text));

/** A value, and what scripts make of it: decoded, and the tokens of JSON. */
function addText(text: string, min: number, texts: Set<string>): void {
  if (text.length < min) return;
  texts.add(text);
  const decoded = decodedUrl(text);
  if (decoded.length >= min) texts.add(decoded);
  if (/^[[{]/.test(decoded)) addTexts(parsedJson(decoded), addToken, texts);
}

function decodedUrl(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Database = { readonly stores?: readonly { readonly records?: readonly unknown[] }[] };
/** What a database stores, without the names of its parts. */
const recordsOf = (database: object) => (database as Database).stores?.map(({ records }) => records);

function addTexts(value: unknown, add: Add, texts: Set<string>): void {
  if (typeof value === 'string') add(value, texts);
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) addTexts(member, add, texts);
}

/** The scrape without values of a profile, but for what the page itself shows. */
function withoutSecrets(scrape: Scrape, secrets: ReadonlySet<string>): Scrape {
  const { delivered, errors, warnings, requestHeaders, redirects } = scrape;
  const mask = masker(secrets);
  // Short values, such as a language, are parts of many addresses.
  const maskUrl = masker([...secrets].filter((secret) => TOKEN.test(secret)));
  return {
    ...scrape,
    attempts: scrape.attempts.map((attempt) => ({
      ...attempt,
      failure: attempt.failure === null ? null : maskedWords(attempt.failure, mask),
    })),
    errors: errors.map((error) => maskedWords(error, mask)),
    warnings: warnings.map((warning) => maskedWords(warning, mask)),
    redirects: redirects.map(maskUrl),
    requestHeaders: requestHeaders === null ? null : maskedHeaders(requestHeaders, mask),
    delivered: delivered === null ? null : { ...delivered, page: maskedPage(delivered.page, mask, maskUrl) },
  };
}

type Mask = <T>(value: T) => T;

/** Replaces secrets in all texts of a JSON value. */
function masker(secrets: Iterable<string>): Mask {
  const mask = new SecretMask();
  for (const secret of secrets) mask.add(secret);
  return (value) => mask.json(value);
}

/** Its code, which has a meaning, stays. */
const maskedWords = <T extends Pick<Warning, 'message' | 'details'>>(told: T, mask: Mask): T => ({
  ...told,
  message: mask(told.message),
  ...(told.details === undefined ? {} : { details: mask(told.details) }),
});

/** Of `Set-Cookie`, the value is masked whatever it is. */
const maskedHeaders = (headers: HeaderList, mask: Mask): HeaderList =>
  headers.map(([name, value]) => [
    name,
    name === 'set-cookie' ? value.replace(/^([^=;]*=?)[^;]*/, `$1${MASK}`) : mask(value),
  ]);

function maskedPage(page: Page, mask: Mask, maskUrl: Mask): Page {
  const { storageState: _taken, cookies, headers, network, actions, missingParts, fatal, ...rest } = page;
  return {
    ...rest,
    finalUrl: maskUrl(rest.finalUrl),
    cookies: cookies.map((cookie) => ({ ...cookie, value: MASK })),
    headers: maskedHeaders(headers, mask),
    ...(network === undefined ? {} : { network: network.map((exchange) => maskedExchange(exchange, mask)) }),
    ...(actions === undefined ? {} : { actions: actions.map((action) => maskedAction(action, mask)) }),
    ...(missingParts === undefined
      ? {}
      : { missingParts: missingParts.map((part) => maskedWords(part, mask)) }),
    ...(fatal === undefined ? {} : { fatal: maskedWords(fatal, mask) }),
  };
}

type Exchange = NonNullable<Page['network']>[number];

const maskedExchange = (exchange: Exchange, mask: Mask): Exchange => ({
  ...exchange,
  url: mask(exchange.url),
  requestHeaders: maskedHeaders(exchange.requestHeaders, mask),
  headers: maskedHeaders(exchange.headers, mask),
  body: mask(exchange.body),
});

const maskedAction = (action: ActionResult, mask: Mask): ActionResult => ({
  ...action,
  ...(action.result === undefined ? {} : { result: mask(action.result) }),
  ...(action.error === undefined ? {} : { error: maskedWords(action.error, mask) }),
  ...(action.exchange === undefined ? {} : { exchange: maskedExchange(action.exchange, mask) }),
});
