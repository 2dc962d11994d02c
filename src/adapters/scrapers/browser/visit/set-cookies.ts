import type { TargetCookie } from '../../../../domain/fetched.ts';
import { textOfBytes } from '../../http/byte-string.ts';
import { defaultPath, domainMatches } from '../../http/cookies/cookie-match.ts';
import { parseSetCookie } from '../../http/cookies/set-cookie.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import { headerLines } from './header-lines.ts';

/** What a cookie is told from others by (RFC 6265 §5.3). */
export type CookieKey = Pick<TargetCookie, 'name' | 'domain' | 'path'>;

/** The answers of one request, redirect by redirect. The network tells of them by themselves, and maybe before. */
interface Chain {
  readonly urls: string[];
  /** Lines of `Set-Cookie`. */
  readonly answers: (readonly string[])[];
}

/** Of a page that never stops asking, the requests before the last so many count no more, nor cookies beyond. */
const MOST = 2_000;

/** More cookies of one host no browser keeps; what an answer sets beyond counts no more. */
const MOST_OF_ANSWER = 400;

/** Which cookies the answers have set that a page got. */
export class SetCookies {
  readonly #chains = new Map<string, Chain>();
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
      const lines = headerLines(headers, headersText).filter(([name]) => name === 'set-cookie');
      const { answers } = this.#chainOf(requestId);
      answers.push(lines.slice(0, MOST_OF_ANSWER).map(([, value]) => value));
    });
  }

  add(cookies: readonly CookieKey[]): void {
    // One by one: they may be more than a call can have arguments.
    for (const cookie of cookies) this.#known.push(cookie);
  }

  /** Domains without a leading dot. */
  get all(): readonly CookieKey[] {
    return [...this.#known, ...[...this.#chains.values()].flatMap(keysOf)];
  }

  #chainOf(requestId: string): Chain {
    const known = this.#chains.get(requestId);
    if (known !== undefined) return known;
    const chain: Chain = { urls: [], answers: [] };
    this.#chains.set(requestId, chain);
    if (this.#chains.size > MOST) this.#settleFirst();
    return chain;
  }

  #settleFirst(): void {
    const [id, chain] = this.#chains.entries().next().value!;
    this.#chains.delete(id);
    if (this.#known.length < MOST) this.add(keysOf(chain));
  }
}

const keysOf = ({ urls, answers }: Chain): CookieKey[] =>
  answers.flatMap((lines, at) => lines.flatMap((line) => keyOf(line, urls[at])));

function keyOf(line: string, from: string | undefined): CookieKey[] {
  const url = from === undefined ? null : URL.parse(from);
  const cookie = parseSetCookie(line, 0);
  if (url === null || cookie === null) return [];
  const { name, domain, path } = cookie;
  // Browsers take none for a site that it did not come from.
  if (domain !== null && !domainMatches(url.hostname, domain)) return [];
  return [
    { name: textOfBytes(name), domain: domain ?? url.hostname, path: path ?? defaultPath(url.pathname) },
  ];
}
