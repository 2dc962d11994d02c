import { hash } from 'node:crypto';
import { computeMimeType } from '../content/charset/mime-type.ts';
import type { Verdict } from '../domain/verdict.ts';
import { inspectPage } from './page-facts.ts';

/** How much of a text is compared. */
const MAX_COMPARED_LENGTH = 1_500;

/** A word with a digit or slash, and the space after it. Matches only at the start of a word, so that it stays linear. */
const WORD_WITH_NUMBER = /(?<![^ ])[^ ]*[\d/][^ ]* ?/g;

/**
 * The beginning of a text in lower case, without words that contain a digit or a slash: block pages of a site differ only in
 * incident numbers, IP addresses and URLs.
 */
function textWithoutNumbers(text: string): string {
  return text.slice(0, MAX_COMPARED_LENGTH).toLowerCase().replaceAll(WORD_WITH_NUMBER, '').trim();
}

/** Remembers the texts of pages, to recognize texts that a site shows at several URLs. */
export interface SiteTexts {
  /**
   * Remembers the text of a page that is not clearly content, and corrects its verdict by comparison with the site's other texts.
   * @param text the whole visible text
   * @param ruleId the rule that matches the page; null: none
   */
  compare(page: SeenPage, text: string, ruleId: string | null, verdict: Verdict): Verdict;
  /** Remembers that the URL has content. */
  noteContent(page: SeenPage): void;
  /** Forgets a site. @param host with its port, unless that is the default port */
  forget(host: string): void;
}

export interface SeenPage {
  /** The URL of the request. */
  readonly url: string;
  /** The page comes from a browser, which has run its scripts. */
  readonly scripted: boolean;
  /** When the page was fetched, ms since the epoch. */
  readonly at: number;
}

/** A text that pages of a site have shown. */
interface SeenText {
  /** Hash of `textWithoutNumbers`. */
  readonly key: string;
  /** URLs at which a scraper without scripts got the text. */
  readonly plain: Set<string>;
  /** URLs at which a browser got the text. */
  readonly scripted: Set<string>;
  /** The rule that matched the last page with this text. */
  ruleId: string | null;
}

interface SiteTextState {
  /** The most recent one is at the end. */
  texts: SeenText[];
  /** URLs at which a browser has found content. */
  readonly good: Set<string>;
  /** By id of a rule: until when it is ignored at this site, ms since the epoch. */
  readonly mutedUntil: Map<string, number>;
}

const MAX_SITES = 2_000;
const MAX_TEXTS_PER_SITE = 16;
const MAX_URLS_PER_TEXT = 8;
/** Shorter texts may be the same by chance. */
const MIN_LENGTH = 60;
/** Block pages are shorter: only texts from this length on can show that a rule is wrong. */
const LONG_LENGTH = 500;
/** A text found at so many URLs may be a template, such as a block page. */
const TEMPLATE_URLS = 3;
const MUTE_MS = 24 * 60 * 60 * 1000;

const CONTENT: Verdict = Object.freeze({
  kind: 'ok',
  confidence: 0.9,
  signals: Object.freeze(['text/same-from-two-scrapers']),
  missing: null,
  wall: null,
});
const TEMPLATE: Verdict = Object.freeze({
  kind: 'block',
  confidence: 0.85,
  signals: Object.freeze(['text/same-for-many-urls']),
  missing: null,
  wall: null,
});

/**
 * Finds wrong verdicts by comparing texts. A text that a scraper without scripts gets at several URLs, while a browser finds
 * content at one of them, is a block page that no rule knows. A long text that a scraper without scripts and a browser both
 * get, at one URL only, suggests content, even if a rule matches it. When that has happened with two texts, the rule is wrong
 * at this site and is ignored there for a day. If there are too many sites, the least recently used one is forgotten.
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
    const seenText = textOf(site, keyOf(compared, MAX_KEPT_TEXT));
    seenText.ruleId = ruleId;
    remember(scripted ? seenText.scripted : seenText.plain, pathOf(url));
    if (ruleId !== null) {
      if ((site.mutedUntil.get(ruleId) ?? 0) > at) return CONTENT;
      if (compared.length < LONG_LENGTH || !confirmedTwice(site, ruleId)) return verdict;
      site.mutedUntil.set(ruleId, at + MUTE_MS);
      // When `MUTE_MS` is over, two new URLs are needed to ignore the rule again.
      site.texts = site.texts.filter((text) => text.ruleId !== ruleId);
      return CONTENT;
    }
    const isTemplate = verdict.kind === 'ok' && !scripted && seenText.plain.size >= TEMPLATE_URLS;
    return isTemplate &&
      [...seenText.plain].some((path) => site.good.has(path) && !seenText.scripted.has(path))
      ? TEMPLATE
      : verdict;
  }

  noteContent({ url, scripted }: SeenPage): void {
    // Only sites at which `compare` was called are remembered.
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
 * Whether the rule matched at least two texts, each of which a scraper without scripts and a browser both got at one URL.
 */
function confirmedTwice({ texts }: SiteTextState, ruleId: string): boolean {
  let confirmed = 0;
  for (const text of texts) {
    if (text.ruleId !== ruleId) continue;
    const urls = new Set([...text.plain, ...text.scripted]);
    // The same text at several URLs is a block page, so the rule is right.
    if (urls.size > 1) return false;
    if (text.plain.size === 1 && text.scripted.size === 1) confirmed++;
  }
  return confirmed >= 2;
}

function textOf({ texts }: SiteTextState, key: string): SeenText {
  const index = texts.findIndex((text) => text.key === key);
  const [known] =
    index === -1
      ? [{ key, plain: new Set<string>(), scripted: new Set<string>(), ruleId: null }]
      : texts.splice(index, 1);
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

/** The URL without query and fragment. */
function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  return keyOf(path, MAX_KEPT_PATH);
}

/** A key for a text: the text itself, or the hash of a long one, to take less memory. */
const keyOf = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : hash('sha1', text, 'base64url');

const MAX_KEPT_PATH = 64;
/** Longer than the text of most refusals. */
const MAX_KEPT_TEXT = 256;

/**
 * Two pages show the same content if at least this share of the other page's words is in the good page, and at least
 * `MIN_WORDS_COVERED` of the good page's words is in the other page.
 */
const MIN_WORDS_KNOWN = 0.85;
const MIN_WORDS_COVERED = 0.7;
/** The other page shows other content if at most this share of the good page's words is in it. */
const MAX_WORDS_OF_OTHER_CONTENT = 0.5;
const WORD = /[^\p{L}\p{N}]+/u;
const HTML = [['content-type', 'text/html; charset=utf-8']] as const;

/** The words that a page shows. @param html UTF-8 */
export function visibleWords(html: Uint8Array): ReadonlySet<string> {
  const { text } = inspectPage(html, { ...computeMimeType(HTML, html), kind: 'html' }, { cut: false });
  return new Set(
    text
      .toLowerCase()
      .split(WORD)
      .filter((word) => word !== ''),
  );
}

/**
 * Whether a page shows the same content as a page that is known to be good, by the words of both. Null: uncertain, as for pages
 * that change often.
 */
export function showsSameContent(good: ReadonlySet<string>, other: ReadonlySet<string>): boolean | null {
  if (good.size === 0) return null;
  let common = 0;
  for (const word of other) if (good.has(word)) common++;
  const knownShare = other.size === 0 ? 0 : common / other.size;
  const coveredShare = common / good.size;
  if (knownShare >= MIN_WORDS_KNOWN && coveredShare >= MIN_WORDS_COVERED) return true;
  return coveredShare <= MAX_WORDS_OF_OTHER_CONTENT ? false : null;
}
