/** One line of a robots.txt: `allow` or `disallow`, and for which paths. */
export interface RobotsRule {
  readonly allow: boolean;
  /** As compared: percent-encoded; `*` and a final `$` have their meaning. */
  readonly pattern: string;
}

interface RobotsGroup {
  /** Lower-case; `*` is everybody. */
  readonly agents: readonly string[];
  readonly rules: readonly RobotsRule[];
}

/** A robots.txt, read (RFC 9309). */
export interface RobotsTxt {
  readonly groups: readonly RobotsGroup[];
}

/** What is behind the limit of RFC 9309 §2.5 is not read. */
export const ROBOTS_MAX_BYTES = 500 * 1024;
/** Longer lines are cut: eight times the longest URL that is in use. */
const MAX_LINE_LENGTH = 8 * 2083;
const MISSPELT = /^(?:dissallow|dissalow|disalow|diasllow|disallaw)$/;

/**
 * Reads any text: what cannot be understood is passed over. More lenient than the RFC where a site's wish is plain: a
 * missing colon, usual misspellings, anything behind the name of an agent.
 */
export function parseRobotsTxt(text: string): RobotsTxt {
  const groups: RobotsGroup[] = [];
  let agents: string[] = [];
  let rules: RobotsRule[] = [];
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [name, value] = keyAndValue(line.slice(0, MAX_LINE_LENGTH));
    if (name === 'user-agent' || name === 'useragent' || name === 'user agent') {
      if (rules.length > 0) {
        groups.push({ agents, rules });
        agents = [];
        rules = [];
      }
      agents.push(agentOf(value));
    } else if (agents.length > 0 && (name === 'allow' || name === 'disallow' || MISSPELT.test(name))) {
      rules.push({ allow: name === 'allow', pattern: percentEncode(value) });
    }
  }
  if (agents.length > 0) groups.push({ agents, rules });
  return { groups };
}

export interface RobotsDecision {
  readonly allowed: boolean;
  /** Which one decided; null: none did, and all is allowed. */
  readonly rule: RobotsRule | null;
}

const ALLOWED: RobotsDecision = Object.freeze({ allowed: true, rule: null });

/**
 * Whether an agent may fetch a path: the groups that name it, else those for everybody; of the rules that fit the longest,
 * and of two that are as long the one that allows (RFC 9309 §2.2).
 * @param agent the product token, such as `Sluice`
 * @param path with query, percent-encoded as the URL has it
 */
export function decideRobots({ groups }: RobotsTxt, agent: string, path: string): RobotsDecision {
  const name = agent.toLowerCase();
  const own = groups.filter(({ agents }) => name !== '' && agents.includes(name));
  const target = upperHex(path);
  let best: RobotsRule | null = null;
  for (const { rules } of own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*')))
    for (const rule of rules) {
      const { length } = rule.pattern;
      if (length === 0 || (best !== null && length < best.pattern.length)) continue;
      if (best !== null && length === best.pattern.length && (best.allow || !rule.allow)) continue;
      if (matchesPattern(rule.pattern, target)) best = rule;
    }
  return best === null ? ALLOWED : { allowed: best.allow, rule: best };
}

/** The parts between `*` in their order, each as early as it can be: no going back, so that no pattern takes long. */
function matchesPattern(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$');
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(parts[0]!)) return false;
  let at = parts[0]!.length;
  const last = parts.length - 1;
  if (last === 0) return !anchored || at === path.length;
  for (let i = 1; i < last; i++) {
    const found = path.indexOf(parts[i]!, at);
    if (found === -1) return false;
    at = found + parts[i]!.length;
  }
  const tail = parts[last]!;
  if (!anchored) return path.includes(tail, at);
  return path.length - tail.length >= at && path.endsWith(tail);
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

/** What is not ASCII is percent-encoded in UTF-8 (RFC 9309 §2.2.2). */
function percentEncode(pattern: string): string {
  // Halves of surrogate pairs, which have no encoding, cannot come from bytes.
  return upperHex(pattern).replace(/[^\x00-\x7f]+/g, (text) => encodeURIComponent(text.toWellFormed()));
}

const upperHex = (text: string): string =>
  text.replace(/%[0-9a-fA-F]{2}/g, (triplet) => triplet.toUpperCase());
