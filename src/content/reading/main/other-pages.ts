import type { Outline } from '../../document/outline.ts';
import { attributeOf, textContent } from '../../document/page-tree.ts';
import type { RepeatedItems } from '../../document/repeated-items.ts';

// Parts of a page about one thing that lead to other things: related articles, similar products.

const MIN_CARDS = 3;
/** At least this share of the cards leads to another page, each to a different one. */
const LINKED_CARDS = 0.8;
/** The average characters of a card. */
const MIN_CARD_TEXT = 8;
const MAX_CARD_TEXT = 400;
/** The heading, the buttons and the like around the items. */
const MAX_AROUND = 120;

/**
 * Rows of cards, with their headings: siblings of one shape that lead to different pages.
 * @param most if the cards hold a larger share of the text, they are the content: then the list is empty
 */
export function cardsToOtherPages(
  outline: Outline,
  root: number,
  groups: readonly RepeatedItems[],
  most: number,
): number[] {
  const { end, text } = outline;
  const found: number[] = [];
  let coveredUntil = 0;
  for (const group of groups.toSorted((a, b) => a.members[0]! - b.members[0]!)) {
    const { members } = group;
    if (members[0]! < coveredUntil || !areCards(outline, group)) continue;
    const row = withAround(outline, root, group);
    found.push(...row);
    coveredUntil = end[row.at(-1)!]!;
  }
  return found.reduce((sum, n) => sum + text[n]!, 0) > most * text[root]! ? [] : found;
}

/** The outermost element that holds the items and hardly more than their heading; the items if there is none. */
export function withAround(outline: Outline, root: number, items: RepeatedItems): readonly number[] {
  const { text, parent } = outline;
  const isAround = (n: number) =>
    n > root && text[n]! - items.text <= MAX_AROUND && !hasTag(outline, n, TITLE);
  let row = -1;
  for (let n = items.parent; isAround(n); n = parent[n]!) row = n;
  return row === -1 ? items.members : [row];
}

function areCards(outline: Outline, { members, text }: RepeatedItems): boolean {
  const average = text / members.length;
  if (members.length < MIN_CARDS || average < MIN_CARD_TEXT || average > MAX_CARD_TEXT) return false;
  if (outline.nodes[members[0]!]!.tagName === 'tr') return false;
  const targets = new Set(members.map((n) => firstTarget(outline, n)).filter((target) => target !== null));
  return targets.size >= LINKED_CARDS * members.length;
}

/** Where the first link in an element to another page leads. */
function firstTarget({ nodes, end }: Outline, index: number): string | null {
  for (let n = index; n < end[index]!; n++) {
    const href = nodes[n]!.tagName === 'a' ? attributeOf(nodes[n]!, 'href')?.trim() : undefined;
    if (href !== undefined && href !== '' && !/^(?:#|javascript:)/i.test(href)) return href;
  }
  return null;
}

/** Beginnings of headings that announce other pages, in the languages of most pages. */
const OTHER_PAGES = beginnings(`
  you may also|you might also|you may like|you might like|people also|customers also|customers who|others also
  readers also|related|similar|recommended for|recommended products|recommended articles|recommended reading
  recommendations|recently viewed|more from|more like|frequently bought|read more|read next|explore more|keep reading
  up next|what to read|from our blog|from the blog|compare similar|compare with similar|sponsored
  das könnte|ähnliche|mehr zum|mehr aus|mehr von|mehr zu|weitere|verwandte|auch interessant|kunden kauften|lesen sie
  articles similaires|articles liés|article similaire|à lire|vous aimerez|produits similaires|produits associés
  sur le même|artículos relacionados|productos relacionados|también te|te puede|le puede|articoli correlati
  potrebbe|leggi anche|gerelateerd|lees ook|powiązane|zobacz też|artigos relacionados|veja também|leia também
  похожие|читайте также`);
/** The same, for pages about one thing only: on a home page they announce its content. */
const OTHER_PAGES_OF_SITE = beginnings(`
  popular|trending|featured|latest|recent|bestseller|best seller|top stories|top posts|most read|most popular
  meistgelesen|neueste`);

function beginnings(phrases: string): RegExp {
  const words = phrases
    .trim()
    .split(/[|\n]/)
    .map((phrase) => phrase.trim());
  return new RegExp(`^(?:${words.join('|')})`, 'i');
}

const HEADING = /^h[2-6]$/;
const TITLE = /^h1$/;
const MAX_HEADING = 80;
/** A section with larger shares of the text and of the sentences is not left out. */
const SECTION_TEXT = 0.5;
const SECTION_PROSE = 0.4;

/**
 * Sections whose heading says that they are about other pages.
 * @param isOneThing the page is about one thing: an article, a product
 */
export function sectionsAboutOtherPages(outline: Outline, root: number, isOneThing: boolean): number[] {
  const { nodes, end, text } = outline;
  const found: number[] = [];
  for (let n = root + 1; n < end[root]!; n++) {
    if (!HEADING.test(nodes[n]!.tagName) || text[n] === 0 || text[n]! > MAX_HEADING) continue;
    const heading = textContent(nodes[n]!, 4 * MAX_HEADING).trim();
    if (!OTHER_PAGES.test(heading) && !(isOneThing && OTHER_PAGES_OF_SITE.test(heading))) continue;
    const section = sectionOf(outline, root, n);
    found.push(section);
    if (text[section] === text[n]) found.push(...linksAfter(outline, root, section, n));
    n = end[section]! - 1;
  }
  return found;
}

/** The outermost element that begins with the heading, and has no other one of its level. */
function sectionOf(outline: Outline, root: number, heading: number): number {
  const { nodes, parent, text, prose, run } = outline;
  const level = levelsUpTo(nodes[heading]!.tagName);
  let section = heading;
  for (let outer = parent[section]!; outer > root; outer = parent[outer]!) {
    if (text[outer]! > SECTION_TEXT * text[root]! || prose[outer]! > SECTION_PROSE * prose[root]!) break;
    let before = 0;
    for (let n = outer; n < section; n++) before += run[n]!;
    if (before > 0 || countTags(outline, outer, level) > 1) break;
    section = outer;
  }
  return section;
}

/** What follows a heading that has no section of its own, as far as it has links, up to the next heading. */
function linksAfter(outline: Outline, root: number, section: number, heading: number): number[] {
  const { nodes, end, parent, linked, prose } = outline;
  const level = levelsUpTo(nodes[heading]!.tagName);
  const found: number[] = [];
  for (let n = end[section]!; n < end[parent[section]!]!; n = end[n]!) {
    if (linked[n] === 0 || prose[n]! > SECTION_PROSE * prose[root]! || hasTag(outline, n, level)) break;
    if (prose[n]! > 0 && nodes[n]!.tagName === 'p') break;
    found.push(n);
  }
  return found;
}

const levelsUpTo = (tagName: string) => new RegExp(`^h[1-${tagName.slice(1)}]$`);

const hasTag = (outline: Outline, index: number, tag: RegExp) => countTags(outline, index, tag) > 0;

function countTags({ nodes, end }: Outline, index: number, tag: RegExp): number {
  let count = 0;
  for (let n = index; n < end[index]!; n++) if (tag.test(nodes[n]!.tagName)) count++;
  return count;
}
