import { hash } from 'node:crypto';
import { computeMimeType } from '../content/mime-type.ts';
import type { Verdict } from '../domain/verdict.ts';
import { inspectPage } from './page-facts.ts';

/** How much of a text is compared. */
const MAX_COMPARED_LENGTH = 1_500;

/** With the space behind it. Matches only from the start of a word, to stay linear. */
const WORD_WITH_NUMBER = /(?<![^ ])[^ ]*[\d/][^ ]* ?/g;

/**
 * The beginning of a text in lower case, without words that contain a digit or a slash: refusals of a site differ only by
 * the number of the incident or the address that they name.
 */
function textWithoutNumbers(text: string): string {
  return text.slice(0, MAX_COMPARED_LENGTH).toLowerCase().replaceAll(WORD_WITH_NUMBER, '').trim();
}

/** What is known of the texts that sites show. */
export interface SiteTexts {
  /**
   * Remembers a page that shows little, and corrects the verdict on it by what other pages of the site show.
   * @param text all that it shows
   * @param ruleId the rule that fits it; null: none does
   */
  compare(page: SeenPage, text: string, ruleId: string | null, verdict: Verdict): Verdict;
  /** Remembers a page that shows so much that it is content. */
  noteContent(page: SeenPage): void;
  /** @param host with its port, where that is not the usual one; by whatever scheme */
  forget(host: string): void;
}

export interface SeenPage {
  /** The URL of the request. */
  readonly url: string;
  /** It comes from a browser, which has run its scripts. */
  readonly scripted: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A text of a site. */
interface SeenText {
  readonly hash: string;
  /** URLs at which a plain scraper got it. */
  readonly plain: Set<string>;
  /** URLs at which a browser got it. */
  readonly scripted: Set<string>;
  /** The rule that fitted the page last. */
  ruleId: string | null;
}

interface SiteTextState {
  /** The one seen last is at the end. */
  texts: SeenText[];
  /** URLs at which a browser has found content. */
  readonly good: Set<string>;
  /** Rule → until when it is ignored at this site, ms since the epoch. */
  readonly mutedUntil: Map<string, number>;
}

const MAX_SITES = 2_000;
const MAX_TEXTS_PER_SITE = 16;
const MAX_URLS_PER_TEXT = 8;
/** Shorter texts may be the same by chance. */
const MIN_LENGTH = 60;
/** No refusal is so long. */
const LONG_LENGTH = 500;
/** A text at so many URLs is a template. */
const TEMPLATE_URLS = 3;
const MUTE_MS = 24 * 60 * 60 * 1000;

const CONTENT: Verdict = Object.freeze({
  kind: 'ok',
  confidence: 0.9,
  signals: Object.freeze(['text/same-from-two-scrapers']),
  failed: null,
  wall: null,
});
const TEMPLATE: Verdict = Object.freeze({
  kind: 'block',
  confidence: 0.85,
  signals: Object.freeze(['text/same-for-many-urls']),
  failed: null,
  wall: null,
});

/**
 * Judges texts by comparing them. A text that a plain scraper gets at several URLs, while a browser finds content at one of
 * them, is a wall that no rule knows. A long text that a plain scraper and a browser both get, at one URL only, is content,
 * whatever rule fits it; when that has happened at two URLs, the rule is ignored at this site for a day. Bounded: the site
 * that was not seen for the longest time is forgotten first.
 */
export class SiteTextMemory implements SiteTexts {
  readonly #sites = new Map<string, SiteTextState>();
  readonly #maxSites: number;

  constructor(maxSites = MAX_SITES) {
    this.#maxSites = maxSites;
  }

  compare(page: SeenPage, text: string, ruleId: string | null, verdict: Verdict): Verdict {
    const compared = textWithoutNumbers(text);
    if (compared.length < MIN_LENGTH) return verdict;
    const { url, scripted, at } = page;
    const site = this.#site(url);
    const known = textOf(site, hashOf(compared));
    known.ruleId = ruleId;
    remember(scripted ? known.scripted : known.plain, pathOf(url));
    if (ruleId !== null) {
      if ((site.mutedUntil.get(ruleId) ?? 0) > at) return CONTENT;
      if (compared.length < LONG_LENGTH || !confirmedTwice(site, ruleId)) return verdict;
      site.mutedUntil.set(ruleId, at + MUTE_MS);
      // After the day it takes two new URLs.
      site.texts = site.texts.filter((text) => text.ruleId !== ruleId);
      return CONTENT;
    }
    const isTemplate = verdict.kind === 'ok' && !scripted && known.plain.size >= TEMPLATE_URLS;
    return isTemplate && [...known.plain].some((path) => site.good.has(path) && !known.scripted.has(path))
      ? TEMPLATE
      : verdict;
  }

  noteContent({ url, scripted }: SeenPage): void {
    // Only sites that showed a page with little on it are compared.
    if (!scripted || this.#sites.size === 0) return;
    const site = this.#sites.get(siteOf(url));
    if (site !== undefined) remember(site.good, pathOf(url));
  }

  forget(host: string): void {
    for (const scheme of ['http', 'https']) this.#sites.delete(`${scheme}://${host}`);
  }

  #site(url: string): SiteTextState {
    const name = siteOf(url);
    const site = this.#sites.get(name) ?? { texts: [], good: new Set(), mutedUntil: new Map() };
    this.#sites.delete(name);
    this.#sites.set(name, site);
    if (this.#sites.size > this.#maxSites) this.#sites.delete(this.#sites.keys().next().value!);
    return site;
  }
}

/**
 * Whether at two URLs or more, each with a text of its own, a plain scraper and a browser got the same text, and the rule
 * fitted it.
 */
function confirmedTwice({ texts }: SiteTextState, ruleId: string): boolean {
  let confirmed = 0;
  for (const known of texts) {
    if (known.ruleId !== ruleId) continue;
    const urls = new Set([...known.plain, ...known.scripted]);
    // The same text at several URLs: the rule is right.
    if (urls.size > 1) return false;
    if (known.plain.size === 1 && known.scripted.size === 1) confirmed++;
  }
  return confirmed >= 2;
}

function textOf({ texts }: SiteTextState, hash: string): SeenText {
  const at = texts.findIndex((text) => text.hash === hash);
  const [known] =
    at === -1
      ? [{ hash, plain: new Set<string>(), scripted: new Set<string>(), ruleId: null }]
      : texts.splice(at, 1);
  texts.push(known!);
  if (texts.length > MAX_TEXTS_PER_SITE) texts.shift();
  return known!;
}

function remember(urls: Set<string>, url: string): void {
  urls.add(url);
  if (urls.size > MAX_URLS_PER_TEXT) urls.delete(urls.values().next().value!);
}

/** Scheme, host and port. */
function siteOf(url: string): string {
  const end = url.indexOf('/', url.indexOf('//') + 2);
  return end === -1 ? url : url.slice(0, end);
}

/** The URL without query and fragment. A long one is hashed, to take less memory. */
function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  return path.length <= MAX_PATH_LENGTH ? path : hashOf(path);
}

const hashOf = (text: string): string => hash('sha1', text, 'base64url');

const MAX_PATH_LENGTH = 64;

const SAME_WORDS = 0.85;
const SAME_LENGTH = 0.7;
const OTHER_WORDS = 0.5;
const WORD = /[^\p{L}\p{N}]+/u;
const HTML = [['content-type', 'text/html; charset=utf-8']] as const;

/** The words that a page shows. @param html UTF-8 */
export function visibleWords(html: Uint8Array): ReadonlySet<string> {
  const { text } = inspectPage(html, { ...computeMimeType(HTML, html), kind: 'html' }, false);
  return new Set(
    text
      .toLowerCase()
      .split(WORD)
      .filter((word) => word !== ''),
  );
}

/**
 * Whether a page shows what another one shows that is known to be good. null: unknown, as of pages that change from one
 * moment to the next.
 */
export function showsSameContent(good: ReadonlySet<string>, other: ReadonlySet<string>): boolean | null {
  if (good.size === 0) return null;
  let common = 0;
  for (const word of other) if (good.has(word)) common++;
  const contained = other.size === 0 ? 0 : common / other.size;
  const covers = common / good.size;
  if (contained >= SAME_WORDS && covers >= SAME_LENGTH) return true;
  return covers <= OTHER_WORDS ? false : null;
}
