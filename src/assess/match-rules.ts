import type { Page } from '../domain/fetched.ts';
import { carriesUrl } from './carries-url.ts';
import type { Marks, Rule } from './rule.ts';
import { BOT_MANAGERS } from './rules/bot-managers.ts';
import { EDGES } from './rules/edges.ts';
import { HOSTS } from './rules/hosts.ts';
import { OTHER_LANGUAGES } from './rules/other-languages.ts';
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
  ...OTHER_LANGUAGES,
];

/** Whether it takes a look at the page itself. */
export const asksPage = ({ title, html, text, noscript, password }: Marks): boolean =>
  title !== undefined ||
  html !== undefined ||
  text !== undefined ||
  noscript !== undefined ||
  password === true;

/** Whether it takes a look at the URLs. */
export const asksPlace = ({ landed, returns, notAsked }: Marks): boolean =>
  landed !== undefined || returns === true || notAsked !== undefined;

/** Told by head and URL alone. */
const BY_HEAD = RULES.filter(({ when }) => !asksPage(when));
const BY_HEADER = new Map<string, Rule[]>();
for (const rule of BY_HEAD) {
  const name = rule.when.header?.[0];
  if (name !== undefined) BY_HEADER.set(name, [...(BY_HEADER.get(name) ?? []), rule]);
}
const BY_PLACE = BY_HEAD.filter(({ when }) => when.header === undefined);
/** Those that look at a page wherever it says much, because it came from elsewhere. */
const LANDINGS = RULES.map(({ when }) => when).filter(
  (when) => asksPage(when) && (when.landed !== undefined || when.returns === true),
);
/** Statuses that are a sign by themselves. */
const ODD_STATUSES = new Set(BY_PLACE.flatMap(({ when }) => when.status ?? []));

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
  if (page.finalUrl === asked && !ODD_STATUSES.has(page.statusCode)) return null;
  for (const rule of BY_PLACE)
    if (statusFits(rule.when, page.statusCode) && placeFits(rule.when, page, asked)) return rule;
  return null;
}

/** Whether redirects ended where a rule has to look at the page, however much it says. */
export function landedOddly(page: Page, asked: string): boolean {
  return page.finalUrl !== asked && LANDINGS.some((when) => placeFits(when, page, asked));
}

export function placeFits({ landed, returns, notAsked }: Marks, { finalUrl }: Page, asked: string): boolean {
  if (landed !== undefined && (finalUrl === asked || !landed.test(finalUrl) || landed.test(asked)))
    return false;
  if (notAsked?.test(asked)) return false;
  return returns !== true || (finalUrl !== asked && carriesUrl(finalUrl, asked));
}
