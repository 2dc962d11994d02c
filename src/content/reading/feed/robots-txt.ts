/** One line of a robots.txt: `allow` or `disallow`, with a pattern of paths. */
export interface RobotsRule {
  readonly allow: boolean;
  /** As it is written. `*` matches anything, a final `$` the end of the path. */
  readonly pattern: string;
}

interface ParsedRule extends RobotsRule {
  /** The pattern as it is compared (see `canonical`), with its `*` and its final `$`. */
  readonly compared: string;
}

interface RobotsAgent {
  /** Lower-case; `*` means all agents. */
  readonly name: string;
  /** `Crawl-delay`, which is not in the RFC, in seconds; null: none. */
  crawlDelay: number | null;
}

interface RobotsGroup {
  readonly agents: readonly RobotsAgent[];
  readonly rules: readonly ParsedRule[];
}

/** A parsed robots.txt (RFC 9309). */
export interface RobotsTxt {
  readonly groups: readonly RobotsGroup[];
  /** URLs of sitemaps, as they are written. */
  readonly sitemaps: readonly string[];
}

/** The rest of a longer file is not read (RFC 9309 §2.5). */
export const ROBOTS_MAX_BYTES = 500 * 1024;
/** Longer lines are cut. The longest URLs in use have 2,083 characters. */
const MAX_LINE_LENGTH = 8 * 2083;
/** Sites have some; those with more list them in an index. */
const MAX_SITEMAPS = 1_000;
/** Common misspellings of `disallow`, which Google's parser accepts too. */
const MISSPELT = /^(?:dissallow|dissalow|disalow|diasllow|disallaw)$/;

/**
 * Parses any text and skips lines that it does not understand. More lenient than the RFC where the intention is clear: a
 * missing colon, common misspellings, text after the name of an agent.
 */
export function parseRobotsTxt(text: string): RobotsTxt {
  const groups: RobotsGroup[] = [];
  const sitemaps: string[] = [];
  let agents: RobotsAgent[] = [];
  let rules: ParsedRule[] = [];
  /** The agents of the group from here on were named after its last `Crawl-delay`. */
  let delayed = 0;
  let isAfterDelay = false;
  const endGroup = () => {
    groups.push({ agents, rules });
    agents = [];
    rules = [];
    delayed = 0;
    isAfterDelay = false;
  };
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [name, value] = keyAndValue(line.slice(0, MAX_LINE_LENGTH));
    if (name === 'user-agent' || name === 'useragent' || name === 'user agent') {
      // Only rules end a group: other records must not (RFC 9309 §2.2.4).
      if (rules.length > 0) endGroup();
      if (isAfterDelay) delayed = agents.length;
      isAfterDelay = false;
      agents.push({ name: agentOf(value), crawlDelay: null });
    } else if (name === 'sitemap') {
      if (value !== '' && sitemaps.length < MAX_SITEMAPS) sitemaps.push(value);
    } else if (agents.length > 0 && name === 'crawl-delay') {
      const seconds = Number.parseFloat(value);
      if (seconds >= 0) for (const agent of agents.slice(delayed)) agent.crawlDelay = seconds;
      isAfterDelay = true;
    } else if (agents.length > 0 && (name === 'allow' || name === 'disallow' || MISSPELT.test(name))) {
      rules.push({ allow: name === 'allow', pattern: value, compared: canonicalPattern(value) });
    }
  }
  if (agents.length > 0) endGroup();
  return { groups, sitemaps };
}

export interface RobotsDecision {
  readonly allowed: boolean;
  /** The rule that decided; null if none applies, so that the path is allowed. */
  readonly rule: RobotsRule | null;
}

const ALLOWED: RobotsDecision = Object.freeze({ allowed: true, rule: null });

/**
 * Whether an agent may fetch a path. The groups that name the agent apply, or else those for all agents. The longest rule
 * that matches decides; of two with the same length, the one that allows (RFC 9309 §2.2).
 * @param agent the product token, such as `Sluice`
 * @param path with query, as in the URL
 */
export function decideRobots({ groups }: RobotsTxt, agent: string, path: string): RobotsDecision {
  const target = canonical(path, 'decoded');
  // A pattern without `?` does not tell whether it means the path or the query, in which `/` and `%2F` are the same.
  const other = canonical(path, 'encoded');
  let best: ParsedRule | null = null;
  for (const { rules } of groupsFor(groups, agent))
    for (const rule of rules) {
      const { length } = rule.compared;
      if (length === 0 || (best !== null && length < best.compared.length)) continue;
      if (best !== null && length === best.compared.length && (best.allow || !rule.allow)) continue;
      if (matchesPattern(rule.compared, target) || (other !== target && matchesPattern(rule.compared, other)))
        best = rule;
    }
  return best === null
    ? ALLOWED
    : { allowed: best.allow, rule: { allow: best.allow, pattern: best.pattern } };
}

/** The groups that name the agent, or else those for all agents. */
function groupsFor(groups: readonly RobotsGroup[], agent: string): readonly RobotsGroup[] {
  const named = groups.filter(({ agents }) => agents.some(({ name }) => isNamed(name, agent)));
  return named.length > 0 ? named : groups.filter(({ agents }) => agents.some(({ name }) => name === '*'));
}

const isNamed = (name: string, agent: string): boolean => name !== '' && name === agent.toLowerCase();

/** A site that asks for more has made a mistake, or asks not to be crawled, which robots.txt can say otherwise. */
const MAX_CRAWL_DELAY_S = 60;

/** The pause between two requests that a site asks an agent for, ms. */
export function crawlDelayMs({ groups }: RobotsTxt, agent: string): number {
  const agents = groups.flatMap((group) => group.agents);
  const named = agents.filter(({ name }) => isNamed(name, agent));
  const counted = named.length > 0 ? named : agents.filter(({ name }) => name === '*');
  const delays = counted.map(({ crawlDelay }) => crawlDelay ?? 0);
  return Math.min(Math.max(0, ...delays), MAX_CRAWL_DELAY_S) * 1_000;
}

/** Finds the texts between the `*` in order, each as early as possible. Without backtracking, so that no pattern takes long. */
function matchesPattern(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$');
  const literals = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(literals[0]!)) return false;
  let position = literals[0]!.length;
  const last = literals.length - 1;
  if (last === 0) return !anchored || position === path.length;
  for (let i = 1; i < last; i++) {
    const found = path.indexOf(literals[i]!, position);
    if (found === -1) return false;
    position = found + literals[i]!.length;
  }
  const tail = literals[last]!;
  if (!anchored) return path.includes(tail, position);
  return path.length - tail.length >= position && path.endsWith(tail);
}

function keyAndValue(line: string): readonly [name: string, value: string] {
  const bare = line.split('#', 1)[0]!.trim();
  const colon = bare.indexOf(':');
  if (colon !== -1) return [bare.slice(0, colon).trim().toLowerCase(), bare.slice(colon + 1).trim()];
  const words = bare.split(/[ \t]+/);
  return words.length === 2 ? [words[0]!.toLowerCase(), words[1]!] : ['', ''];
}

function agentOf(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return '*';
  return /^[A-Za-z_-]*/.exec(value)![0].toLowerCase();
}

/** The pattern of a rule as it is compared, with its wildcards and the mark of its end. */
function canonicalPattern(pattern: string): string {
  const anchored = pattern.endsWith('$');
  const text = anchored ? pattern.slice(0, -1) : pattern;
  const query = text.indexOf('?');
  const parts = query === -1 ? [text] : [text.slice(0, query), text.slice(query + 1)];
  const [path, rest] = parts.map((part, index) =>
    part
      .split('*')
      .map((literal) => (index === 0 ? canonicalPath(literal) : canonicalQuery(literal, 'decoded')))
      .join('*'),
  );
  return `${path}${rest === undefined ? '' : `?${rest}`}${anchored ? '$' : ''}`;
}

/**
 * A path with its query in the form in which it is compared with patterns, so that each character is written in one way (RFC 9309
 * §2.2.2, §2.2.3). `*` and `$` are escapes, because they have a meaning in patterns.
 * @param slashes how `/` and `?` within the query are written: there they are data, and mean the same as their escapes
 */
function canonical(path: string, slashes: 'encoded' | 'decoded'): string {
  const query = path.indexOf('?');
  if (query === -1) return canonicalPath(path);
  return `${canonicalPath(path.slice(0, query))}?${canonicalQuery(path.slice(query + 1), slashes)}`;
}

/** Characters that are written without escape: unreserved ones, and reserved ones that separate nothing (RFC 3986 §2.2, §2.3). */
const PLAIN = /^[A-Za-z0-9\-._~:@!'()+,;[\]]$/;

/** `&` and `=` separate the members of a query. Their escapes are other characters (RFC 3986 §2.2), as `/` and `%2F` are in a path. */
const canonicalPath = (text: string): string => rewritten(text, '/', '&=');

function canonicalQuery(text: string, slashes: 'encoded' | 'decoded'): string {
  return slashes === 'encoded' ? rewritten(text, '&=', '') : rewritten(text, '&=', '/?');
}

/**
 * Writes each character in one way.
 * @param kept characters that stay as they are, and so do their escapes
 * @param more characters that are written without escape, beside `PLAIN`; all others become escapes
 */
function rewritten(text: string, kept: string, more: string): string {
  const isPlain = (character: string) => PLAIN.test(character) || more.includes(character);
  return text.replace(/%[0-9a-fA-F]{2}|[^A-Za-z0-9\-._~]/gu, (part) => {
    if (part.length < 3) return isPlain(part) || kept.includes(part) ? part : escapeOf(part);
    const character = String.fromCharCode(Number.parseInt(part.slice(1), 16));
    return isPlain(character) ? character : part.toUpperCase();
  });
}

function escapeOf(character: string): string {
  // `encodeURIComponent` throws on a lone surrogate. Cutting a long line can leave one.
  const encoded = encodeURIComponent(character.toWellFormed());
  return encoded === character ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encoded;
}
