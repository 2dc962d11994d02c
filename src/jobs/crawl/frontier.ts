import type { CrawlSettings } from '../../domain/crawl.ts';
import { failure, isFailure } from '../../domain/failure.ts';
import type { FoundLink } from '../../domain/found-links.ts';
import type { NewItem, StoredError } from '../../domain/jobs.ts';
import { isRepeatable, type Method } from '../../domain/task.ts';
import { compileNameMatch, compileUrlMatch, type UrlMatch } from '../../domain/url-match.ts';
import { canonicalUrl, fingerprintOf, type IgnoredQuery } from './canonical-url.ts';
import { canFollow, sameSiteTest, scopeTest } from './scope.ts';
import { trapReason, urlForm } from './traps.ts';

export interface FoundOn {
  /** Number of the item; null: the URL is a start URL. */
  readonly parent: number | null;
  /** Of the URL that was found. */
  readonly depth: number;
  /** robots.txt of an origin; null: it is not known, or does not count. */
  readonly robots: { readonly origin: string; readonly rule: (url: URL) => string | null } | null;
  readonly now: number;
}

/** The rules of a crawl about URLs, compiled. */
export class Frontier {
  readonly settings: CrawlSettings;
  readonly #ignored: IgnoredQuery;
  readonly #include: readonly UrlMatch[];
  readonly #exclude: readonly UrlMatch[];
  readonly #inScope: (url: URL) => boolean;
  readonly #rules: readonly {
    readonly match: UrlMatch;
    readonly request: Readonly<Record<string, unknown>>;
  }[];
  readonly #isStartSite: (url: URL) => boolean;
  readonly #method: Method;

  /** @param settings checked: the patterns are valid @param method of requests that no rule changes */
  constructor(settings: CrawlSettings, method: Method) {
    this.settings = settings;
    this.#method = method;
    const { ignoreQuery, include, exclude, rules, startUrls, scope, movedTo = [] } = settings;
    this.#ignored =
      ignoreQuery === true || ignoreQuery.length === 0
        ? ignoreQuery === true || null
        : valid(compileNameMatch(ignoreQuery, ''));
    this.#include = include.map((pattern) => valid(compileUrlMatch(pattern, '')));
    this.#exclude = exclude.map((pattern) => valid(compileUrlMatch(pattern, '')));
    this.#rules = rules.map(({ match, request }) => ({ match: valid(compileUrlMatch(match, '')), request }));
    const starts = startUrls.map((url) => new URL(url));
    this.#inScope = scopeTest(scope, [...starts, ...movedTo.map((url) => new URL(url))]);
    this.#isStartSite = sameSiteTest(starts);
  }

  /**
   * The frontier after a start URL was redirected: the scope `path` also has the folder to which it led, on the same site.
   * @returns null: the scope stays as it is
   */
  following(startUrl: string, finalUrl: string): Frontier | null {
    const { scope, movedTo = [] } = this.settings;
    if (scope !== 'path' || this.isInScope(finalUrl) || !canFollow(new URL(startUrl), new URL(finalUrl)))
      return null;
    return new Frontier({ ...this.settings, movedTo: [...movedTo, finalUrl] }, this.#method);
  }

  canonical(url: string): string {
    return canonicalUrl(new URL(url), this.#ignored);
  }

  isInScope(url: string): boolean {
    return this.#inScope(new URL(url));
  }

  /** Whether the URL may get the caller's cookies and credentials. */
  isStartSite(url: string): boolean {
    return this.#isStartSite(new URL(url));
  }

  /** Members that the rules add to the request of a URL; later rules go first. */
  ruleMembers(url: string): Readonly<Record<string, unknown>> {
    const parsed = new URL(url);
    return Object.assign(
      {},
      ...this.#rules.filter(({ match }) => match(parsed)).map(({ request }) => request),
    );
  }

  #methodOf(url: URL): Method {
    if (this.#rules.length === 0) return this.#method;
    const { method } = this.ruleMembers(url.href);
    return typeof method === 'string' ? (method.toUpperCase() as Method) : this.#method;
  }

  /** An item for a link, with the reason if it is not visited. */
  item({ url: href }: Pick<FoundLink, 'url'>, found: FoundOn): NewItem {
    const url = new URL(href);
    const canonical = canonicalUrl(url, this.#ignored);
    return {
      ref: null,
      url: canonical,
      host: url.host,
      fingerprint: fingerprintOf(canonical),
      depth: found.depth,
      parent: found.parent,
      request: null,
      repeatable: isRepeatable(this.#methodOf(url)),
      skipped: found.parent === null ? null : this.skipReason(url, found),
      form: found.parent === null ? null : urlForm(url, this.settings.maxUrlsPerPattern),
    };
  }

  /** Why a URL that was found is not visited; null: it is. @param url canonical */
  skipReason(url: URL, found: FoundOn): StoredError | null {
    return this.#reason(url, found)?.error ?? null;
  }

  /** The same in one word. */
  dropReason(url: URL, found: FoundOn): DropReason | null {
    return this.#reason(url, found)?.word ?? null;
  }

  #reason(
    url: URL,
    { depth, robots, now }: FoundOn,
  ): { readonly word: DropReason; readonly error: StoredError } | null {
    const { scope, maxDepth } = this.settings;
    if (!this.#inScope(url))
      return { word: 'scope', error: skip('skip.scope', `The URL is outside of the scope \`${scope}\`.`) };
    if (this.#exclude.some((match) => match(url)))
      return { word: 'exclude', error: skip('skip.excluded', 'The URL matches `exclude`.') };
    if (this.#include.length > 0 && !this.#include.some((match) => match(url)))
      return { word: 'include', error: skip('skip.excluded', 'The URL does not match `include`.') };
    if (depth > maxDepth) {
      const message = `The URL is more than ${maxDepth} links from the start.`;
      return { word: 'depth', error: skip('skip.depth', message) };
    }
    const trap = trapReason(url, now);
    if (trap !== null) return { word: 'trap', error: skip('skip.trap', trap) };
    const rule = robots !== null && robots.origin === url.origin ? robots.rule(url) : null;
    if (rule === null) return null;
    return { word: 'robots', error: skip('skip.robots', `robots.txt does not allow this page: ${rule}.`) };
  }
}

export type DropReason = 'scope' | 'exclude' | 'include' | 'depth' | 'trap' | 'robots';

type SkipCode = `skip.${'scope' | 'excluded' | 'depth' | 'trap' | 'robots' | 'duplicate'}`;

export function skip(code: SkipCode, message: string): StoredError {
  return { code, message: failure(code, message).message };
}

/** A pattern that was checked when the crawl was accepted. */
function valid<T>(compiled: T | ReturnType<typeof failure>): T {
  if (isFailure(compiled)) throw new TypeError(compiled.message);
  return compiled as T;
}
