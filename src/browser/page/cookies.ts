import { isUtf8 } from 'node:buffer';
import { type Failure, failure } from '../../domain/failure.ts';
import type { TargetCookie } from '../../domain/fetch-result.ts';
import type { Task } from '../../domain/task.ts';
import { fromByteString } from '../../http-client/byte-string.ts';
import { defaultPath, domainMatches } from '../../http-client/cookie-jar.ts';
import { parseSetCookie, type SetCookie } from '../../http-client/set-cookie.ts';
import type { BrowserCookies, ContextCookie } from '../engine/browser-page.ts';
import type { CdpSession } from '../engine/cdp-session.ts';
import { callerCookies } from '../engine/emulation.ts';
import { toResponseHeaders } from './response.ts';

/** Adds the caller's cookies to a context; a failure names those that browsers reject. Rejects when the browser ends. */
export async function addCookies(jar: BrowserCookies, task: Task): Promise<Failure | null> {
  const cookies = callerCookies(task);
  if (cookies.length === 0) return null;
  try {
    await jar.add(cookies);
    return null;
  } catch (error) {
    const rejected: string[] = [];
    for (const cookie of cookies) await jar.add([cookie]).catch(() => rejected.push(cookie.name));
    // If the browser accepts each cookie by itself, or no longer responds, the error has another cause.
    if (rejected.length === 0 || !(await stillResponds(jar))) throw error;
    const names = rejected.map((name) => JSON.stringify(name)).join(', ');
    // The names are those of the rejected cookies.
    const message = `Browsers reject a cookie like ${names} for this URL (prefixes, characters or size).`;
    return failure('scraper.unsupported_option', message, { pointer: '/cookies' });
  }
}

function stillResponds(jar: BrowserCookies): Promise<boolean> {
  return jar.all().then(
    () => true,
    () => false,
  );
}

/** For parsing `Set-Cookie`, where the expiry time does not matter. */
const ANY_TIME = 0;

/** Identifies a cookie (RFC 6265 §5.3). */
type CookieKey = Pick<TargetCookie, 'name' | 'domain' | 'path'>;

/**
 * The responses of one request and its redirects. Their URLs and their headers come in different events, in any order, so they
 * are matched by position.
 */
interface ResponseChain {
  readonly urls: string[];
  /** `Set-Cookie` lines of each response. */
  readonly setCookieLines: (readonly string[])[];
}

/**
 * Limits the memory for pages that send requests without end. Beyond it, the oldest requests are dropped. Of those, roughly as
 * many cookies are kept.
 */
const MAX_REQUESTS = 2_000;

/** Browsers store fewer cookies per host; further ones of a response are ignored. */
const MAX_PER_RESPONSE = 400;

/** Which cookies the responses of a page have set. */
export class SetCookieLog {
  readonly #chains = new Map<string, ResponseChain>();
  /** Cookies of requests that are no longer in `#chains`, and of the document that another scraper has fetched. */
  readonly #known: CookieKey[] = [];

  listen(session: CdpSession): void {
    session.on(
      'Network.requestWillBeSent',
      ({ requestId, request, redirectResponse, redirectHasExtraInfo }) => {
        const { urls } = this.#chainOf(requestId);
        // There are no header events for responses from the cache.
        if (redirectResponse !== undefined && redirectHasExtraInfo === false) urls.pop();
        urls.push(request.url);
      },
    );
    session.on('Network.responseReceivedExtraInfo', ({ requestId, headers, headersText }) => {
      const lines = toResponseHeaders(headers, headersText).filter(([name]) => name === 'set-cookie');
      const { setCookieLines } = this.#chainOf(requestId);
      setCookieLines.push(lines.slice(0, MAX_PER_RESPONSE).map(([, value]) => value));
    });
  }

  add(cookies: readonly CookieKey[]): void {
    // One by one, because there may be more than a call can have arguments.
    for (const cookie of cookies) this.#known.push(cookie);
  }

  /** Domains without a leading dot. */
  get all(): readonly CookieKey[] {
    return [...this.#known, ...[...this.#chains.values()].flatMap(cookieKeys)];
  }

  #chainOf(requestId: string): ResponseChain {
    const known = this.#chains.get(requestId);
    if (known !== undefined) return known;
    const chain: ResponseChain = { urls: [], setCookieLines: [] };
    this.#chains.set(requestId, chain);
    if (this.#chains.size > MAX_REQUESTS) this.#dropOldestChain();
    return chain;
  }

  /** Of the oldest request, only its cookies are kept. */
  #dropOldestChain(): void {
    const [id, chain] = this.#chains.entries().next().value!;
    this.#chains.delete(id);
    if (this.#known.length < MAX_REQUESTS) this.add(cookieKeys(chain));
  }
}

const cookieKeys = ({ urls, setCookieLines }: ResponseChain): CookieKey[] =>
  setCookieLines.flatMap((lines, index) => lines.flatMap((line) => cookieKey(line, urls[index])));

function cookieKey(line: string, responseUrl: string | undefined): CookieKey[] {
  const url = responseUrl === undefined ? null : URL.parse(responseUrl);
  const cookie = parseSetCookie(line, ANY_TIME);
  if (url === null || cookie === null) return [];
  const { name, domain, path } = cookie;
  // Browsers reject cookies for other sites.
  if (domain !== null && !domainMatches(url.hostname, domain)) return [];
  return [
    { name: fromByteString(name), domain: domain ?? url.hostname, path: path ?? defaultPath(url.pathname) },
  ];
}

const withoutLeadingDot = (domain: string) => domain.replace(/^\./, '');

/**
 * The cookies that the target has set: all cookies of the context, without those of the caller that no `Set-Cookie` has named
 * and no script has changed.
 * @param namedBySetCookie cookies for which there was a `Set-Cookie`
 */
export function targetCookies(
  all: readonly ContextCookie[],
  task: Task,
  namedBySetCookie: readonly CookieKey[],
): readonly TargetCookie[] {
  const fromCaller = [...callerCookies(task), ...(task.options.storageState?.cookies ?? [])];
  const isSame = (a: CookieKey, b: CookieKey) =>
    a.name === b.name && withoutLeadingDot(a.domain) === withoutLeadingDot(b.domain) && a.path === b.path;
  const isUnchanged = (cookie: ContextCookie) =>
    fromCaller.some((own) => isSame(own, cookie) && own.value === cookie.value);
  return all
    .filter((cookie) => !isUnchanged(cookie) || namedBySetCookie.some((key) => isSame(key, cookie)))
    .map(({ name, value, domain, path, expires, secure, httpOnly, sameSite }) => ({
      name,
      value,
      domain: withoutLeadingDot(domain),
      path,
      expires: expires === -1 ? null : expires,
      secure,
      httpOnly,
      sameSite: sameSite ?? null,
    }));
}

const ASCII_ONLY = /^[\x00-\x7f]*$/;
/** Further such cookies are returned as the browser reports them. */
const MAX_NON_UTF8_COOKIES = 400;

/**
 * Restores cookies that are not UTF-8. Browsers store and send them, but Chromium reports them without the invalid bytes. Here they
 * are returned as they were set, each byte a character.
 */
export class NonUtf8Cookies {
  readonly #setCookies: SetCookie[] = [];

  /** @param headers `Network.responseReceivedExtraInfo` */
  record(headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers)) {
      // The length first, because this runs for every header of every response.
      if (name.length !== 10 || name.toLowerCase() !== 'set-cookie' || ASCII_ONLY.test(value)) continue;
      for (const [, line] of toResponseHeaders({ [name]: value }, undefined)) {
        const cookie = isUtf8(Buffer.from(line, 'latin1')) ? null : parseSetCookie(line, ANY_TIME);
        if (cookie !== null && this.#setCookies.length < MAX_NON_UTF8_COOKIES) this.#setCookies.push(cookie);
      }
    }
  }

  restore(cookies: readonly ContextCookie[]): readonly ContextCookie[] {
    if (this.#setCookies.length === 0) return cookies;
    return cookies.map((cookie) => {
      const set = this.#setCookies.findLast((candidate) => isSameCookie(cookie, candidate));
      return set === undefined
        ? cookie
        : { ...cookie, name: fromByteString(set.name), value: fromByteString(set.value) };
    });
  }
}

function isSameCookie(cookie: ContextCookie, set: SetCookie): boolean {
  if (set.domain !== null && set.domain !== withoutLeadingDot(cookie.domain)) return false;
  if (set.path !== null && set.path !== cookie.path) return false;
  return isSubsequence(asciiPart(`${cookie.name}=${cookie.value}`), asciiPart(`${set.name}=${set.value}`));
}

const asciiPart = (text: string): string => text.replace(/[^\x00-\x7f]/g, '');

/** Whether `text` has all characters of `part`, in the same order. Chromium removes invalid bytes, and others with them. */
function isSubsequence(part: string, text: string): boolean {
  let matched = 0;
  for (const char of text) if (char === part[matched]) matched++;
  return matched === part.length;
}
