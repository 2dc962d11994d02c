/** One line of a robots.txt: `allow` or `disallow`, with a pattern of paths. */
export interface RobotsRule {
  readonly allow: boolean;
  /** Percent-encoded, as it is compared. `*` matches anything, a final `$` the end of the path. */
  readonly pattern: string;
}

interface RobotsGroup {
  /** Lower-case; `*` means all agents. */
  readonly agents: readonly string[];
  readonly rules: readonly RobotsRule[];
  /** `Crawl-delay`, which is not in the RFC, in seconds; null: none. */
  readonly crawlDelay: number | null;
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
  let agents: string[] = [];
  let rules: RobotsRule[] = [];
  let crawlDelay: number | null = null;
  const endGroup = () => {
    groups.push({ agents, rules, crawlDelay });
    agents = [];
    rules = [];
    crawlDelay = null;
  };
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [name, value] = keyAndValue(line.slice(0, MAX_LINE_LENGTH));
    if (name === 'user-agent' || name === 'useragent' || name === 'user agent') {
      if (rules.length > 0 || crawlDelay !== null) endGroup();
      agents.push(agentOf(value));
    } else if (name === 'sitemap') {
      if (value !== '' && sitemaps.length < MAX_SITEMAPS) sitemaps.push(value);
    } else if (agents.length > 0 && name === 'crawl-delay') {
      const seconds = Number.parseFloat(value);
      if (seconds >= 0) crawlDelay = seconds;
    } else if (agents.length > 0 && (name === 'allow' || name === 'disallow' || MISSPELT.test(name))) {
      rules.push({ allow: name === 'allow', pattern: percentEncode(value) });
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
 * @param path with query, percent-encoded as in the URL
 */
export function decideRobots({ groups }: RobotsTxt, agent: string, path: string): RobotsDecision {
  const target = upperHex(path);
  let best: RobotsRule | null = null;
  for (const { rules } of groupsFor(groups, agent))
    for (const rule of rules) {
      const { length } = rule.pattern;
      if (length === 0 || (best !== null && length < best.pattern.length)) continue;
      if (best !== null && length === best.pattern.length && (best.allow || !rule.allow)) continue;
      if (matchesPattern(rule.pattern, target)) best = rule;
    }
  return best === null ? ALLOWED : { allowed: best.allow, rule: best };
}

/** The groups that name the agent, or else those for all agents. */
function groupsFor(groups: readonly RobotsGroup[], agent: string): readonly RobotsGroup[] {
  const name = agent.toLowerCase();
  const namedGroups = groups.filter(({ agents }) => name !== '' && agents.includes(name));
  return namedGroups.length > 0 ? namedGroups : groups.filter(({ agents }) => agents.includes('*'));
}

/** A site that asks for more has made a mistake, or asks not to be crawled, which robots.txt can say otherwise. */
const MAX_CRAWL_DELAY_S = 60;

/** The pause between two requests that a site asks an agent for, ms. */
export function crawlDelayMs({ groups }: RobotsTxt, agent: string): number {
  const delays = groupsFor(groups, agent).map(({ crawlDelay }) => crawlDelay ?? 0);
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

/** Percent-encodes characters outside ASCII as UTF-8 (RFC 9309 §2.2.2). */
function percentEncode(pattern: string): string {
  // `encodeURIComponent` throws on a lone surrogate. Cutting a long line can leave one.
  return upperHex(pattern).replace(/[^\x00-\x7f]+/g, (text) => encodeURIComponent(text.toWellFormed()));
}

const upperHex = (text: string): string =>
  text.replace(/%[0-9a-fA-F]{2}/g, (triplet) => triplet.toUpperCase());
