import type { Page } from '../domain/fetch-result.ts';
import type { JudgedPage } from './page-facts.ts';
import { BLOCKING_STATUSES, type Rule, type RuleConditions, visibleTextLimit } from './rule.ts';
import { BOT_MANAGER_RULES } from './rules/bot-managers.ts';
import { CDN_RULES } from './rules/cdns.ts';
import { FIREWALL_RULES } from './rules/firewalls.ts';
import { PHRASE_RULES, TRANSLATED_PHRASE_RULES } from './rules/phrases.ts';
import { QUEUE_RULES } from './rules/queues.ts';
import { HOSTING_RULES, SITE_RULES } from './rules/sites.ts';
import { WALL_RULES } from './rules/walls.ts';

/** A URL may be percent-encoded several times: in a parameter of a URL that is itself a parameter of another. */
const MAX_ESCAPE_DEPTH = 3;

/**
 * Whether the query or the fragment of `finalUrl` contains `requestUrl`, or its path: then the site intends to return to the
 * page later. The path `/` alone proves nothing.
 */
function carriesUrl(finalUrl: string, requestUrl: string): boolean {
  const from = finalUrl.search(/[?#]/);
  if (from === -1) return false;
  const { host, pathname } = new URL(requestUrl);
  const path = unescaped(pathname);
  let query = finalUrl.slice(from + 1);
  for (let depth = 0; depth < MAX_ESCAPE_DEPTH; depth++) {
    const decoded = unescaped(query);
    if (query.includes(`//${host}${pathname}`) || query.includes(`//${host}${path}`)) return true;
    if (path !== '/' && query.split(/[&=]/).some((value) => isPath(value, pathname) || isPath(value, path)))
      return true;
    if (decoded === query) return false;
    query = decoded;
  }
  return false;
}

/** ASP.NET writes the root of the application as `~`. */
function isPath(value: string, path: string): boolean {
  const [valuePath] = value.replace(/^~/, '').split(/[?#]/);
  return valuePath === path;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** All conditions, none of which is set. */
const NO_CONDITIONS: Readonly<Record<keyof RuleConditions, undefined>> = {
  status: undefined,
  header: undefined,
  finalUrl: undefined,
  finalUrlNamesRequestUrl: undefined,
  requestUrlNot: undefined,
  title: undefined,
  html: undefined,
  text: undefined,
  textNot: undefined,
  noscript: undefined,
  maxTextLength: undefined,
  maxLinks: undefined,
  maxFields: undefined,
  password: undefined,
};

/** Objects of one shape: most pages are compared with some two hundred rules, and V8 reads members of many shapes slowly. */
export const RULES: readonly Rule[] = [
  ...CDN_RULES,
  ...BOT_MANAGER_RULES,
  ...HOSTING_RULES,
  ...FIREWALL_RULES,
  ...QUEUE_RULES,
  ...SITE_RULES,
  ...WALL_RULES,
  ...PHRASE_RULES,
  ...TRANSLATED_PHRASE_RULES,
].map((rule) => ({ ...rule, when: { ...NO_CONDITIONS, ...rule.when } as RuleConditions }));

/** Whether the rule needs the body, and not only status, headers and URL. */
const needsPage = ({ title, html, text, noscript, password }: RuleConditions): boolean =>
  title !== undefined ||
  html !== undefined ||
  text !== undefined ||
  noscript !== undefined ||
  password === true;

const HEAD_RULES = RULES.filter(({ when }) => !needsPage(when));
const RULES_BY_HEADER = new Map<string, Rule[]>();
for (const rule of HEAD_RULES) {
  const name = rule.when.header?.[0];
  if (name !== undefined) RULES_BY_HEADER.set(name, [...(RULES_BY_HEADER.get(name) ?? []), rule]);
}
const URL_RULES = HEAD_RULES.filter(({ when }) => when.header === undefined);
/** Conditions of the rules for pages at suspect final URLs. They apply even to pages with much text. */
const LANDING_CONDITIONS = RULES.map(({ when }) => when).filter(
  (when) => needsPage(when) && (when.finalUrl !== undefined || when.finalUrlNamesRequestUrl === true),
);
/** Statuses for which there is a rule without a header. */
const SUSPECT_STATUSES = new Set(URL_RULES.flatMap(({ when }) => when.status ?? []));

const statusMatches = ({ status }: RuleConditions, code: number): boolean =>
  status === undefined || status.includes(code);

/** The first rule that matches a header, by which the server itself declares a block. */
export function ruleByHeaders(page: Page): Rule | null {
  for (const [name, value] of page.headers) {
    const rules = RULES_BY_HEADER.get(name);
    if (rules === undefined) continue;
    for (const rule of rules)
      if (statusMatches(rule.when, page.statusCode) && rule.when.header![1].test(value)) return rule;
  }
  return null;
}

/** The first rule that matches an unusual status, or the final URL after redirects. */
export function ruleByUrl(page: Page, requestUrl: string): Rule | null {
  if (page.finalUrl === requestUrl && !SUSPECT_STATUSES.has(page.statusCode)) return null;
  for (const rule of URL_RULES)
    if (statusMatches(rule.when, page.statusCode) && urlsMatch(rule.when, page, requestUrl)) return rule;
  return null;
}

/** Whether the final URL after redirects is one for which rules apply even to pages with much text. */
export function endedAtSuspectUrl(page: Page, requestUrl: string): boolean {
  return page.finalUrl !== requestUrl && LANDING_CONDITIONS.some((when) => urlsMatch(when, page, requestUrl));
}

function urlsMatch(
  { finalUrl: pattern, finalUrlNamesRequestUrl, requestUrlNot }: RuleConditions,
  { finalUrl }: Page,
  requestUrl: string,
): boolean {
  if (
    pattern !== undefined &&
    (finalUrl === requestUrl || !pattern.test(finalUrl) || pattern.test(requestUrl))
  )
    return false;
  if (requestUrlNot?.test(requestUrl)) return false;
  return finalUrlNamesRequestUrl !== true || (finalUrl !== requestUrl && carriesUrl(finalUrl, requestUrl));
}

/** Sorted by confidence, so that the first match is the result. */
const PAGE_RULES = RULES.filter(({ when }) => needsPage(when)).toSorted(
  (rule, other) => other.confidence - rule.confidence,
);
const STATUSES = new Set([...BLOCKING_STATUSES, ...PAGE_RULES.flatMap(({ when }) => when.status ?? [])]);
const PAGE_RULES_BY_STATUS: ReadonlyMap<number, readonly Rule[]> = new Map(
  [...STATUSES].map((code) => [
    code,
    PAGE_RULES.filter(({ when }) => when.status?.includes(code) ?? BLOCKING_STATUSES.has(code)),
  ]),
);
const LONGEST_TEXT = Math.max(...PAGE_RULES.map(({ when }) => visibleTextLimit(when)));

/**
 * The rule with the highest confidence that matches the page.
 * @param isData the body is JSON, a script or the like, without visible text: only patterns for the source (`html`) apply
 */
export function ruleByPage(
  page: Page,
  requestUrl: string,
  facts: JudgedPage,
  { isData }: { readonly isData: boolean },
): Rule | null {
  if (facts.text.length > LONGEST_TEXT) return null;
  for (const rule of PAGE_RULES_BY_STATUS.get(page.statusCode) ?? []) {
    const { when } = rule;
    if (isData && (when.html === undefined || when.text !== undefined)) continue;
    if (countsMatch(when, facts) && urlsMatch(when, page, requestUrl) && pageMatches(when, page, facts))
      return rule;
  }
  return null;
}

function countsMatch(when: RuleConditions, { text, links, fields, password }: JudgedPage): boolean {
  return (
    text.length <= visibleTextLimit(when) &&
    links <= (when.maxLinks ?? Number.POSITIVE_INFINITY) &&
    fields <= (when.maxFields ?? Number.POSITIVE_INFINITY) &&
    (when.password === undefined || password)
  );
}

function pageMatches(
  { header, title, text, textNot, noscript, html }: RuleConditions,
  page: Page,
  facts: JudgedPage,
): boolean {
  return (
    (header === undefined || hasHeader(page, header)) &&
    (title?.test(facts.title) ?? true) &&
    (text?.test(facts.text) ?? true) &&
    !(textNot?.test(facts.text) ?? false) &&
    (noscript?.test(facts.noscript) ?? true) &&
    (html?.test(facts.html) ?? true)
  );
}

function hasHeader({ headers }: Page, [name, pattern]: readonly [string, RegExp]): boolean {
  return headers.some(([other, value]) => other === name && pattern.test(value));
}
