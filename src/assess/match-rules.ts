import type { Page } from '../domain/fetched.ts';
import type { PageFacts } from './page-facts.ts';
import { HELD, type Marks, mostText, type Rule } from './rule.ts';
import { BOT_MANAGERS } from './rules/bot-managers.ts';
import { EDGES } from './rules/edges.ts';
import { HOSTS } from './rules/hosts.ts';
import { PHRASES } from './rules/phrases.ts';
import { SITES } from './rules/sites.ts';
import { WALLS_SEEN } from './rules/walls.ts';

export const RULES: readonly Rule[] = [
  ...EDGES,
  ...BOT_MANAGERS,
  ...HOSTS,
  ...SITES,
  ...WALLS_SEEN,
  ...PHRASES,
];

const asksPage = ({ title, html, text, noscript, password }: Marks): boolean =>
  title !== undefined ||
  html !== undefined ||
  text !== undefined ||
  noscript !== undefined ||
  password === true;

/** Told by head and URL alone. */
const BY_HEAD = RULES.filter(({ when }) => !asksPage(when));
const BY_HEADER = new Map<string, Rule[]>();
for (const rule of BY_HEAD) {
  const name = rule.when.header?.[0];
  if (name !== undefined) BY_HEADER.set(name, [...(BY_HEADER.get(name) ?? []), rule]);
}
const BY_PLACE = BY_HEAD.filter(({ when }) => when.header === undefined);
const BY_PAGE = RULES.filter(({ when }) => asksPage(when));
/** Those that look at a page wherever it says much, because it came from elsewhere. */
const LANDINGS = BY_PAGE.flatMap(({ when }) => (when.landed === undefined ? [] : [when.landed]));

const statusFits = ({ status }: Marks, code: number): boolean =>
  status === undefined || status.includes(code);

/** The first rule that the head of the answer fits: the server says so itself. */
export function ruleByHeaders(page: Page): Rule | null {
  for (const [name, value] of page.headers) {
    const rules = BY_HEADER.get(name);
    if (rules === undefined) continue;
    for (const rule of rules)
      if (statusFits(rule.when, page.statusCode) && rule.when.header![1].test(value)) return rule;
  }
  return null;
}

/** The first rule for an odd status, or a URL that redirects ended at. */
export function ruleByPlace(page: Page, asked: string): Rule | null {
  for (const rule of BY_PLACE)
    if (statusFits(rule.when, page.statusCode) && landedFits(rule.when, page, asked)) return rule;
  return null;
}

/** Whether redirects ended where a rule has to look at the page, however much it says. */
export function landedOddly(page: Page, asked: string): boolean {
  return page.finalUrl !== asked && LANDINGS.some((like) => like.test(page.finalUrl) && !like.test(asked));
}

/** The surest rule that the page fits. */
export function ruleByPage(
  page: Page,
  asked: string,
  facts: PageFacts,
  plain: 'html' | 'text' | 'data',
): Rule | null {
  let best: Rule | null = null;
  for (const rule of BY_PAGE) {
    if (best !== null && rule.confidence <= best.confidence) continue;
    const { when } = rule;
    // Of data only the marks in its source count: what it says is not said to a reader.
    if (plain === 'data' && (when.html === undefined || when.text !== undefined)) continue;
    if (fits(when, page, asked, facts)) best = rule;
  }
  return best;
}

function fits(when: Marks, page: Page, asked: string, facts: PageFacts): boolean {
  if (when.status === undefined ? !HELD.has(page.statusCode) : !when.status.includes(page.statusCode))
    return false;
  if (facts.text.length > mostText(when)) return false;
  if (when.links !== undefined && facts.links > when.links) return false;
  if (when.fields !== undefined && facts.fields > when.fields) return false;
  if (when.password === true && !facts.password) return false;
  if (!landedFits(when, page, asked)) return false;
  if (when.header !== undefined && !hasHeader(page, when.header)) return false;
  if (when.title !== undefined && !when.title.test(facts.title)) return false;
  if (when.text !== undefined && !when.text.test(facts.text)) return false;
  if (when.noscript !== undefined && !when.noscript.test(facts.noscript)) return false;
  return when.html === undefined || when.html.test(facts.html);
}

function landedFits({ landed }: Marks, page: Page, asked: string): boolean {
  return (
    landed === undefined || (page.finalUrl !== asked && landed.test(page.finalUrl) && !landed.test(asked))
  );
}

function hasHeader(page: Page, [name, value]: readonly [string, RegExp]): boolean {
  return page.headers.some(([one, text]) => one === name && value.test(text));
}
