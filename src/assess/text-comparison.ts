import { hash } from 'node:crypto';
import { computeMimeType } from '../content/mime-type.ts';
import type { Verdict } from '../domain/verdict.ts';
import { inspectPage } from './page-facts.ts';

/** Refusals differ by the number of the incident, or the address that they name, if by anything. At most so much is compared. */
const COMPARED = 1_500;
const SPACE = 0x20;
const SLASH = 0x2f;
const NINE = 0x39;
const TEXT_BUFFER = Buffer.allocUnsafeSlow(COMPARED);

/**
 * The beginning of a text without the words that hold a digit or a slash, in small letters; words are apart by spaces.
 * @returns of ASCII, which is read several times as fast, its bytes: good until the next call
 */
function textWithoutNumbers(text: string): Uint8Array | string {
  const length = TEXT_BUFFER.write(text, 'utf8');
  // Not all of it was written: a letter beyond ASCII had no room.
  if (length < text.length && length < COMPARED) return unicodeWithoutNumbers(text);
  let size = 0;
  /** Where the word begins that is read, and whether it goes. */
  let word = 0;
  let goes = false;
  for (let at = 0; at < length; at++) {
    const byte = TEXT_BUFFER[at]!;
    if (byte >= 0x80) return unicodeWithoutNumbers(text);
    if (byte === SPACE && goes) {
      size = word;
      goes = false;
      continue;
    }
    // What was read is overwritten.
    TEXT_BUFFER[size++] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    if (byte === SPACE) word = size;
    else if (byte >= SLASH && byte <= NINE) goes = true;
  }
  if (goes) size = word;
  let from = 0;
  while (from < size && isSpace(TEXT_BUFFER[from]!)) from++;
  while (size > from && isSpace(TEXT_BUFFER[size - 1]!)) size--;
  return TEXT_BUFFER.subarray(from, size);
}

const isSpace = (byte: number): boolean => byte === SPACE || (byte >= 0x09 && byte <= 0x0d);

function unicodeWithoutNumbers(text: string): string {
  const compared = text.slice(0, COMPARED).toLowerCase();
  const { length } = compared;
  let kept = '';
  /** Where the words begin that are kept next, where the word does that is read, and whether it goes. */
  let from = 0;
  let word = 0;
  let goes = false;
  for (let at = 0; at <= length; at++) {
    const code = at === length ? SPACE : compared.charCodeAt(at);
    if (code === SPACE) {
      if (goes) {
        kept += compared.slice(from, word);
        from = at + 1;
      }
      goes = false;
      word = at + 1;
    } else if (code >= SLASH && code <= NINE) goes = true;
  }
  return (kept + compared.slice(from)).trim();
}

/** What is known of the texts that a site shows; whoever remembers sites may keep it. */
export interface SiteTexts {
  /**
   * A page that shows little was seen, with the verdict on it; gives the verdict that its neighbours speak for.
   * @param text all that it shows
   * @param by the rule that was fired by what it shows; null: none was
   */
  compare(seen: SeenPage, text: string, by: string | null, verdict: Verdict): Verdict;
  /** A page was seen that shows so much that it is content. */
  noteContent(seen: SeenPage): void;
  /** @param host with its port, where that is not the usual one; by whatever scheme */
  forget(host: string): void;
}

export interface SeenPage {
  readonly url: string;
  readonly scripted: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A text of a site: at which URLs it was seen, by a plain scraper and by a browser. */
interface SeenText {
  readonly hash: string;
  readonly plain: Set<string>;
  readonly scripted: Set<string>;
  by: string | null;
}

interface SiteTextState {
  /** The one seen last at the end. A list, for so few: a map of which things go and come is made anew all the time. */
  texts: SeenText[];
  /** URLs at which a browser has found content. */
  readonly good: Set<string>;
  /** Rule → until when it means nothing here. */
  readonly mute: Map<string, number>;
}

const SITES = 2_000;
const TEXTS = 16;
const URLS = 8;
/** Shorter texts are the same by chance. */
const MIN_LENGTH = 60;
/** A refusal does not talk so long, and differs by its number alone. */
const LONG = 500;
const SAME_FOR = 3;
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
 * Texts told apart by comparison instead of by signs. A text that a plain scraper gets at several URLs, at one of which a
 * browser finds content, is a wall that no rule knows. A long text that a plain scraper and a browser get alike, at one URL
 * only, is content whatever rule it fires; when that has happened at two URLs, the rule means nothing at this site for a
 * day. Bounded: sites that were not seen for the longest time are forgotten.
 */
export class SiteTextMemory implements SiteTexts {
  readonly #sites = new Map<string, SiteTextState>();
  readonly #most: number;
  /** The site that was seen last: it needs not be put behind all others. */
  #latest = '';

  constructor(most = SITES) {
    this.#most = most;
  }

  compare(seen: SeenPage, text: string, by: string | null, verdict: Verdict): Verdict {
    const compared = textWithoutNumbers(text);
    if (compared.length < MIN_LENGTH) return verdict;
    const { url, scripted, at } = seen;
    const site = this.#site(url);
    const known = textOf(site, hashOf(compared));
    known.by = by;
    remember(scripted ? known.scripted : known.plain, pathOf(url));
    if (by !== null) {
      if ((site.mute.get(by) ?? 0) > at) return CONTENT;
      if (compared.length < LONG || !confirmedTwice(site, by)) return verdict;
      site.mute.set(by, at + MUTE_MS);
      // After the day it has to be shown anew.
      site.texts = site.texts.filter((one) => one.by !== by);
      return CONTENT;
    }
    const template = verdict.kind === 'ok' && !scripted && known.plain.size >= SAME_FOR;
    return template && [...known.plain].some((one) => site.good.has(one) && !known.scripted.has(one))
      ? TEMPLATE
      : verdict;
  }

  noteContent({ url, scripted }: SeenPage): void {
    // What was never seen to show little needs no comparison.
    if (!scripted || this.#sites.size === 0) return;
    const site = this.#sites.get(siteOf(url));
    if (site !== undefined) remember(site.good, pathOf(url));
  }

  forget(host: string): void {
    for (const scheme of ['http', 'https']) this.#sites.delete(`${scheme}://${host}`);
  }

  #site(url: string): SiteTextState {
    const name = siteOf(url);
    const known = this.#sites.get(name);
    if (known !== undefined && name === this.#latest) return known;
    const site = known ?? { texts: [], good: new Set(), mute: new Map() };
    this.#sites.delete(name);
    this.#sites.set(name, site);
    this.#latest = name;
    if (this.#sites.size > this.#most) this.#sites.delete(this.#sites.keys().next().value!);
    return site;
  }
}

/** At two URLs or more, each with a text of its own, a plain scraper and a browser saw the same, and the rule fired. */
function confirmedTwice({ texts }: SiteTextState, by: string): boolean {
  let confirmed = 0;
  for (const known of texts) {
    if (known.by !== by) continue;
    const urls = new Set([...known.plain, ...known.scripted]);
    // The same at several URLs: it is the rule that is right.
    if (urls.size > 1) return false;
    if (known.plain.size === 1 && known.scripted.size === 1) confirmed++;
  }
  return confirmed >= 2;
}

function textOf({ texts }: SiteTextState, hash: string): SeenText {
  const at = texts.findLastIndex((one) => one.hash === hash);
  const known =
    at === -1 ? { hash, plain: new Set<string>(), scripted: new Set<string>(), by: null } : texts[at]!;
  // All that were seen later move up.
  if (at !== -1) texts.copyWithin(at, at + 1).pop();
  texts.push(known);
  if (texts.length > TEXTS) texts.shift();
  return known;
}

function remember(urls: Set<string>, url: string): void {
  urls.add(url);
  if (urls.size > URLS) urls.delete(urls.values().next().value!);
}

/** Scheme, host and port. */
function siteOf(url: string): string {
  const end = url.indexOf('/', url.indexOf('//') + 2);
  return end === -1 ? url : url.slice(0, end);
}

/** Without query, which may tell nothing that is shown. */
function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  return path.length <= SHORT_URL ? path : hashOf(path);
}

/** Of the bytes of a text it is what it is of the text. */
const hashOf = (text: Uint8Array | string): string => hash('sha1', text, 'base64url');

/** Longer than this, its hash takes less memory. */
const SHORT_URL = 64;

const SAME_WORDS = 0.85;
const SAME_LENGTH = 0.7;
const OTHER_WORDS = 0.5;
const WORD = /[^\p{L}\p{N}]+/u;
const HTML = [['content-type', 'text/html; charset=utf-8']] as const;

/** What a page shows, in words: UTF-8 of HTML. */
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
 * Whether one page shows what another does that is known to be good: true, false, or null when that cannot be told,
 * as of pages that change from one moment to the next.
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
