import type { Page } from '../domain/fetch-result.ts';
import type { JudgedPage } from './page-facts.ts';
import { BLOCKING_STATUSES, type Rule, type RuleConditions, visibleTextLimit } from './rule.ts';
import { PatternPrefilter } from './rule-prefilter.ts';
import { BOT_MANAGER_RULES } from './rules/bot-managers.ts';
import { CDN_RULES } from './rules/cdns.ts';
import { PHRASE_RULES, TRANSLATED_PHRASE_RULES } from './rules/phrases.ts';
import { HOSTING_RULES, SITE_RULES } from './rules/sites.ts';
import { WALL_RULES } from './rules/walls.ts';

/** An address that was escaped, and escaped again as a part of another one. */
const MOST_ESCAPES = 3;

/**
 * Whether the query or the fragment of `finalUrl` carries `asked`, in full or from its path on: whoever sends on to another
 * page so means to come back. A path that is `/` alone tells nothing.
 */
function carriesUrl(finalUrl: string, asked: string): boolean {
  const from = finalUrl.search(/[?#]/);
  if (from === -1) return false;
  const { host, pathname } = new URL(asked);
  const path = unescaped(pathname);
  let told = finalUrl.slice(from + 1);
  for (let n = 0; n < MOST_ESCAPES; n++) {
    const next = unescaped(told);
    if (told.includes(`//${host}${pathname}`) || told.includes(`//${host}${path}`)) return true;
    if (path !== '/' && told.split(/[&=]/).some((value) => isPath(value, pathname) || isPath(value, path)))
      return true;
    if (next === told) return false;
    told = next;
  }
  return false;
}

/** As ASP.NET writes it, `~` is the root of the application. */
function isPath(value: string, path: string): boolean {
  const [told] = value.replace(/^~/, '').split(/[?#]/);
  return told === path;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const RULES: readonly Rule[] = [
  ...CDN_RULES,
  ...BOT_MANAGER_RULES,
  ...HOSTING_RULES,
  ...SITE_RULES,
  ...WALL_RULES,
  ...PHRASE_RULES,
  ...TRANSLATED_PHRASE_RULES,
];

/** Whether it takes a look at the page itself. */
const needsPage = ({ title, html, text, noscript, password }: RuleConditions): boolean =>
  title !== undefined ||
  html !== undefined ||
  text !== undefined ||
  noscript !== undefined ||
  password === true;

/** Whether it takes a look at the URLs. */
const needsUrls = ({ finalUrl, returnsToRequestUrl, requestUrlNot }: RuleConditions): boolean =>
  finalUrl !== undefined || returnsToRequestUrl === true || requestUrlNot !== undefined;

/** Told by head and URL alone. */
const HEAD_RULES = RULES.filter(({ when }) => !needsPage(when));
const BY_HEADER = new Map<string, Rule[]>();
for (const rule of HEAD_RULES) {
  const name = rule.when.header?.[0];
  if (name !== undefined) BY_HEADER.set(name, [...(BY_HEADER.get(name) ?? []), rule]);
}
const URL_RULES = HEAD_RULES.filter(({ when }) => when.header === undefined);
/** Those that look at a page wherever it says much, because it came from elsewhere. */
const LANDING_CONDITIONS = RULES.map(({ when }) => when).filter(
  (when) => needsPage(when) && (when.finalUrl !== undefined || when.returnsToRequestUrl === true),
);
/** Statuses that are a sign by themselves. */
const SUSPECT_STATUSES = new Set(URL_RULES.flatMap(({ when }) => when.status ?? []));

const statusMatches = ({ status }: RuleConditions, code: number): boolean =>
  status === undefined || status.includes(code);

/** The first rule that the head of the answer fits: the server says so itself. */
export function ruleByHeaders(page: Page): Rule | null {
  for (const [name, value] of page.headers) {
    const rules = BY_HEADER.get(name);
    if (rules === undefined) continue;
    for (const rule of rules)
      if (statusMatches(rule.when, page.statusCode) && rule.when.header![1].test(value)) return rule;
  }
  return null;
}

/** The first rule for an odd status, or a URL that redirects ended at. */
export function ruleByUrl(page: Page, asked: string): Rule | null {
  if (page.finalUrl === asked && !SUSPECT_STATUSES.has(page.statusCode)) return null;
  for (const rule of URL_RULES)
    if (statusMatches(rule.when, page.statusCode) && urlsMatch(rule.when, page, asked)) return rule;
  return null;
}

/** Whether redirects ended where a rule has to look at the page, however much it says. */
export function endedAtSuspectUrl(page: Page, asked: string): boolean {
  return page.finalUrl !== asked && LANDING_CONDITIONS.some((when) => urlsMatch(when, page, asked));
}

function urlsMatch(
  { finalUrl: landed, returnsToRequestUrl, requestUrlNot }: RuleConditions,
  { finalUrl }: Page,
  asked: string,
): boolean {
  if (landed !== undefined && (finalUrl === asked || !landed.test(finalUrl) || landed.test(asked)))
    return false;
  if (requestUrlNot?.test(asked)) return false;
  return returnsToRequestUrl !== true || (finalUrl !== asked && carriesUrl(finalUrl, asked));
}

/** A rule that looks at a page, with all of its marks in one shape: the same few members are asked of each of many. */
interface CompiledRule {
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

interface CompiledRules {
  readonly page: readonly CompiledRule[];
  /** Of data only the marks in its source count: what it says is not said to a reader. */
  readonly data: readonly CompiledRule[];
}

const PAGE_RULES = RULES.filter(({ when }) => needsPage(when));
const patterns = (of: 'html' | 'text') => PAGE_RULES.flatMap(({ when }) => when[of] ?? []);
const LONGEST_TEXT = Math.max(...PAGE_RULES.map(({ when }) => visibleTextLimit(when)));
/** UTF-8 of one unit of a string takes at most three bytes; there are letters whose small ones are two. */
const PREFILTER_BUFFER = Buffer.allocUnsafeSlow(LONGEST_TEXT * 6);
/** The longer the literals, the fewer bytes are looked at; sources are long, and patterns for texts need short words. */
const HTML_PREFILTER = new PatternPrefilter(patterns('html'), 8);
const TEXT_PREFILTER = new PatternPrefilter(patterns('text'), 6);

function compileRule(rule: Rule): CompiledRule {
  const { when } = rule;
  return {
    rule,
    mostText: visibleTextLimit(when),
    links: when.maxLinks ?? Number.POSITIVE_INFINITY,
    fields: when.maxFields ?? Number.POSITIVE_INFINITY,
    password: when.password === true,
    place: needsUrls(when),
    header: when.header ?? null,
    title: when.title ?? null,
    text: when.text ?? null,
    textSifted: when.text !== undefined && TEXT_PREFILTER.covers(when.text),
    unless: when.textNot ?? null,
    noscript: when.noscript ?? null,
    html: when.html ?? null,
    htmlSifted: when.html !== undefined && HTML_PREFILTER.covers(when.html),
  };
}

/** By status, the surest first, so that the first one that fits is the answer. */
const BY_STATUS: ReadonlyMap<number, CompiledRules> = new Map(
  [...new Set([...BLOCKING_STATUSES, ...PAGE_RULES.flatMap(({ when }) => when.status ?? [])])].map((code) => {
    const page = PAGE_RULES.filter(({ when }) => when.status?.includes(code) ?? BLOCKING_STATUSES.has(code))
      .toSorted((one, other) => other.confidence - one.confidence)
      .map(compileRule);
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
  facts: JudgedPage,
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
      inHtml ??= HTML_PREFILTER.candidates(source, source.length);
      if (!inHtml.has(one.html!)) continue;
    }
    if (one.textSifted) {
      inText ??= TEXT_PREFILTER.candidates(
        PREFILTER_BUFFER,
        PREFILTER_BUFFER.write(text.toLowerCase(), 'utf8'),
      );
      if (!inText.has(one.text!)) continue;
    }
    if (one.place && !urlsMatch(one.rule.when, page, asked)) continue;
    if (pageMatches(one, page, facts)) return one.rule;
  }
  return null;
}

function pageMatches(
  { header, title, text, unless, noscript, html }: CompiledRule,
  page: Page,
  facts: JudgedPage,
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
