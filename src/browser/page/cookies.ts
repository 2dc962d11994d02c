import { isUtf8 } from 'node:buffer';
import { type Failure, failure } from '../../domain/failure.ts';
import type { TargetCookie } from '../../domain/fetch-result.ts';
import type { Job } from '../../domain/job.ts';
import { fromByteString } from '../../http-client/byte-string.ts';
import { defaultPath, domainMatches } from '../../http-client/cookie-jar.ts';
import { parseSetCookie, type SetCookie } from '../../http-client/set-cookie.ts';
import type { BrowserCookies, ContextCookie } from '../engine/browser-page.ts';
import type { CdpSession } from '../engine/cdp-session.ts';
import { callerCookies } from '../engine/emulation.ts';
import { toResponseHeaders } from './response.ts';

/** Gives a context the caller's cookies; a failure names those that browsers do not take. Rejects with the browser. */
export async function addCookies(jar: BrowserCookies, job: Job): Promise<Failure | null> {
  const cookies = callerCookies(job);
  if (cookies.length === 0) return null;
  try {
    await jar.add(cookies);
    return null;
  } catch (error) {
    const refused: string[] = [];
    for (const cookie of cookies) await jar.add([cookie]).catch(() => refused.push(cookie.name));
    // It takes each by itself, or nothing any more: then it was not for the cookies.
    if (refused.length === 0 || !(await stillResponds(jar))) throw error;
    const names = refused.map((name) => JSON.stringify(name)).join(', ');
    const why = `Browsers reject a cookie like ${names} for this URL (prefixes, characters or size).`;
    return failure('scraper.unsupported_option', why, { pointer: '/cookies' });
  }
}

function stillResponds(jar: BrowserCookies): Promise<boolean> {
  return jar.all().then(
    () => true,
    () => false,
  );
}

/** What a cookie is told from others by (RFC 6265 §5.3). */
type CookieKey = Pick<TargetCookie, 'name' | 'domain' | 'path'>;

/** The answers of one request, redirect by redirect. The network tells of them by themselves, and maybe before. */
interface ResponseChain {
  readonly urls: string[];
  /** Lines of `Set-Cookie`. */
  readonly setCookieLines: (readonly string[])[];
}

/** Of a page that never stops asking, the requests before the last so many count no more, nor cookies beyond. */
const MAX_REQUESTS = 2_000;

/** More cookies of one host no browser keeps; what an answer sets beyond counts no more. */
const MAX_PER_RESPONSE = 400;

/** Which cookies the answers have set that a page got. */
export class SetCookieLog {
  readonly #chains = new Map<string, ResponseChain>();
  /** Of requests that count no more, and those that another scraper was given. */
  readonly #known: CookieKey[] = [];

  listen(session: CdpSession): void {
    session.on(
      'Network.requestWillBeSent',
      ({ requestId, request, redirectResponse, redirectHasExtraInfo }) => {
        const { urls } = this.#chainOf(requestId);
        // Of what came from a cache the network tells nothing.
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
    // One by one: they may be more than a call can have arguments.
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
    if (this.#chains.size > MAX_REQUESTS) this.#foldOldest();
    return chain;
  }

  #foldOldest(): void {
    const [id, chain] = this.#chains.entries().next().value!;
    this.#chains.delete(id);
    if (this.#known.length < MAX_REQUESTS) this.add(cookieKeys(chain));
  }
}

const cookieKeys = ({ urls, setCookieLines }: ResponseChain): CookieKey[] =>
  setCookieLines.flatMap((lines, at) => lines.flatMap((line) => cookieKey(line, urls[at])));

function cookieKey(line: string, from: string | undefined): CookieKey[] {
  const url = from === undefined ? null : URL.parse(from);
  const cookie = parseSetCookie(line, 0);
  if (url === null || cookie === null) return [];
  const { name, domain, path } = cookie;
  // Browsers take none for a site that it did not come from.
  if (domain !== null && !domainMatches(url.hostname, domain)) return [];
  return [
    { name: fromByteString(name), domain: domain ?? url.hostname, path: path ?? defaultPath(url.pathname) },
  ];
}

const withoutLeadingDot = (domain: string) => domain.replace(/^\./, '');

/**
 * What the target set: all that the context has, but for the caller's that are as they were given.
 * @param set what a `Set-Cookie` was for
 */
export function targetCookies(
  all: readonly ContextCookie[],
  job: Job,
  set: readonly CookieKey[],
): readonly TargetCookie[] {
  const given = [...callerCookies(job), ...(job.options.storageState?.cookies ?? [])];
  const isAs = (one: CookieKey, { name, domain, path }: CookieKey) =>
    one.name === name && withoutLeadingDot(one.domain) === withoutLeadingDot(domain) && one.path === path;
  const isGiven = (cookie: ContextCookie) =>
    given.some((one) => isAs(one, cookie) && one.value === cookie.value);
  return all
    .filter((cookie) => !isGiven(cookie) || set.some((one) => isAs(one, cookie)))
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
/** Of a page that sets more of them, the others stay as the browser tells them. */
const MAX_NON_UTF8_COOKIES = 400;

/**
 * Cookies whose bytes are no UTF-8. Browsers keep them and send them again, and Chromium tells of them without those bytes:
 * here they are told as they were set, each byte a character.
 */
export class NonUtf8Cookies {
  readonly #set: SetCookie[] = [];

  /** @param headers `Network.responseReceivedExtraInfo` */
  record(headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers)) {
      if (name.length !== 10 || name.toLowerCase() !== 'set-cookie' || ASCII_ONLY.test(value)) continue;
      for (const [, line] of toResponseHeaders({ [name]: value }, undefined)) {
        const cookie = isUtf8(Buffer.from(line, 'latin1')) ? null : parseSetCookie(line, 0);
        if (cookie !== null && this.#set.length < MAX_NON_UTF8_COOKIES) this.#set.push(cookie);
      }
    }
  }

  restore(kept: readonly ContextCookie[]): readonly ContextCookie[] {
    if (this.#set.length === 0) return kept;
    return kept.map((cookie) => {
      const set = this.#set.findLast((one) => isSameCookie(cookie, one));
      return set === undefined
        ? cookie
        : { ...cookie, name: fromByteString(set.name), value: fromByteString(set.value) };
    });
  }
}

function isSameCookie(kept: ContextCookie, set: SetCookie): boolean {
  if (set.domain !== null && set.domain !== kept.domain.replace(/^\./, '')) return false;
  if (set.path !== null && set.path !== kept.path) return false;
  return isSubsequence(asciiPart(`${kept.name}=${kept.value}`), asciiPart(`${set.name}=${set.value}`));
}

const asciiPart = (text: string): string => text.replace(/[^\x00-\x7f]/g, '');

/** All of one text comes in another in its order: an unreadable byte may have taken others with it. */
function isSubsequence(one: string, other: string): boolean {
  let at = 0;
  for (const char of other) if (char === one[at]) at++;
  return at === one.length;
}
