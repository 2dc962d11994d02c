import { isObject } from '../scrape.ts';

/** `extract` of a request: name → rule. */
export type ExtractRules = Readonly<Record<string, unknown>>;

/** A rule as the picker edits it. */
export interface PickedRule {
  readonly selector: string;
  readonly list: boolean;
  /** `text`, `html` or `@attribute`. */
  readonly output: string;
}

/** The rule in its shortest form: `"css"`, `"css@attribute"` or an object. */
export function ruleOf({ selector, list, output }: PickedRule): unknown {
  // In the short form, an `@` begins the attribute.
  if (list || output === 'html' || selector.includes('@'))
    return { selector, ...(list && { type: 'list' }), ...(output !== 'text' && { output }) };
  return output === 'text' ? selector : selector + output;
}

/** The inverse; null: the picker cannot edit this rule. */
export function pickedRule(rule: unknown): PickedRule | null {
  if (typeof rule === 'string') {
    const [, selector, attribute] = /^([^@]+)(?:@([^\s@\]"']+))?$/.exec(rule) ?? [];
    if (selector === undefined) return null;
    return { selector, list: false, output: attribute === undefined ? 'text' : `@${attribute}` };
  }
  if (!isObject(rule)) return null;
  const { selector, type = 'item', output = 'text', ...more } = rule;
  if (typeof selector !== 'string' || typeof output !== 'string' || Object.keys(more).length > 0) return null;
  return { selector, list: type === 'list', output };
}

/** A name that no other rule has: `title`, `title_2`, … */
export function freeName(name: string, rules: ExtractRules): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (!Object.hasOwn(rules, candidate)) return candidate;
  }
}

export function withoutRule(rules: ExtractRules, name: string): ExtractRules {
  return Object.fromEntries(Object.entries(rules).filter(([other]) => other !== name));
}
