import type { Page } from '../domain/fetched.ts';
import { asksPage, asksPlace, placeFits, RULES } from './match-rules.ts';
import type { PageFacts } from './page-facts.ts';
import { PatternSift } from './pattern-sift.ts';
import { HELD, mostText, type Rule } from './rule.ts';

/** A rule that looks at a page, with all of its marks in one shape: the same few members are asked of each of many. */
interface Question {
  readonly rule: Rule;
  readonly mostText: number;
  readonly links: number;
  readonly fields: number;
  readonly password: boolean;
  readonly place: boolean;
  readonly header: readonly [name: string, value: RegExp] | null;
  readonly title: RegExp | null;
  readonly text: RegExp | null;
  readonly textSifted: boolean;
  readonly unless: RegExp | null;
  readonly noscript: RegExp | null;
  readonly html: RegExp | null;
  readonly htmlSifted: boolean;
}

interface Questions {
  readonly page: readonly Question[];
  /** Of data only the marks in its source count: what it says is not said to a reader. */
  readonly data: readonly Question[];
}

const BY_PAGE = RULES.filter(({ when }) => asksPage(when));
const patterns = (of: 'html' | 'text') => BY_PAGE.flatMap(({ when }) => when[of] ?? []);
const LONGEST_TEXT = Math.max(...BY_PAGE.map(({ when }) => mostText(when)));
/** UTF-8 of one unit of a string takes at most three bytes; there are letters whose small ones are two. */
const TEXT_ROOM = Buffer.allocUnsafeSlow(LONGEST_TEXT * 6);
/** The longer the literals, the fewer bytes are looked at; sources are long, and patterns for texts need short words. */
const IN_HTML = new PatternSift(patterns('html'), 8);
const IN_TEXT = new PatternSift(patterns('text'), 6);

function question(rule: Rule): Question {
  const { when } = rule;
  return {
    rule,
    mostText: mostText(when),
    links: when.links ?? Number.POSITIVE_INFINITY,
    fields: when.fields ?? Number.POSITIVE_INFINITY,
    password: when.password === true,
    place: asksPlace(when),
    header: when.header ?? null,
    title: when.title ?? null,
    text: when.text ?? null,
    textSifted: when.text !== undefined && IN_TEXT.sifts(when.text),
    unless: when.unless ?? null,
    noscript: when.noscript ?? null,
    html: when.html ?? null,
    htmlSifted: when.html !== undefined && IN_HTML.sifts(when.html),
  };
}

/** By status, the surest first, so that the first one that fits is the answer. */
const BY_STATUS: ReadonlyMap<number, Questions> = new Map(
  [...new Set([...HELD, ...BY_PAGE.flatMap(({ when }) => when.status ?? [])])].map((code) => {
    const page = BY_PAGE.filter(({ when }) => when.status?.includes(code) ?? HELD.has(code))
      .toSorted((one, other) => other.confidence - one.confidence)
      .map(question);
    return [code, { page, data: page.filter(({ html, text }) => html !== null && text === null) }];
  }),
);

/**
 * The surest rule that the page fits.
 * @param source the bytes of `facts.html`
 */
export function ruleByPage(
  page: Page,
  asked: string,
  facts: PageFacts,
  source: Uint8Array,
  plain: 'html' | 'text' | 'data',
): Rule | null {
  const { text, links, fields } = facts;
  const { length } = text;
  const questions = length > LONGEST_TEXT ? undefined : BY_STATUS.get(page.statusCode);
  if (questions === undefined) return null;
  let inHtml: ReadonlySet<RegExp> | null = null;
  let inText: ReadonlySet<RegExp> | null = null;
  for (const one of plain === 'data' ? questions.data : questions.page) {
    if (length > one.mostText || links > one.links || fields > one.fields) continue;
    if (one.password && !facts.password) continue;
    if (one.htmlSifted) {
      inHtml ??= IN_HTML.mayFit(source, source.length);
      if (!inHtml.has(one.html!)) continue;
    }
    if (one.textSifted) {
      inText ??= IN_TEXT.mayFit(TEXT_ROOM, TEXT_ROOM.write(text.toLowerCase(), 'utf8'));
      if (!inText.has(one.text!)) continue;
    }
    if (one.place && !placeFits(one.rule.when, page, asked)) continue;
    if (fits(one, page, facts)) return one.rule;
  }
  return null;
}

function fits(
  { header, title, text, unless, noscript, html }: Question,
  page: Page,
  facts: PageFacts,
): boolean {
  if (header !== null && !hasHeader(page, header)) return false;
  if (title !== null && !title.test(facts.title)) return false;
  if (text !== null && !text.test(facts.text)) return false;
  if (unless?.test(facts.text)) return false;
  if (noscript !== null && !noscript.test(facts.noscript)) return false;
  return html === null || html.test(facts.html);
}

function hasHeader(page: Page, [name, value]: readonly [string, RegExp]): boolean {
  return page.headers.some(([one, text]) => one === name && value.test(text));
}
