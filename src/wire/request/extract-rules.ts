import { type Static, Type } from 'typebox';
import { closed, isObject } from '../../domain/json-schema.ts';
import type { ExtractOutput, ExtractRule } from '../../domain/page-action.ts';
import { withoutNulls } from '../schema/json-value.ts';
import { addProblem, childPointer, type Problems } from '../schema/problems.ts';
import type { Schema } from '../schema/validation.ts';
import { checker } from '../schema/validation.ts';

const MAX_RULE_DEPTH = 10;
const MAX_RULES = 100;
const ATTRIBUTE = /^[^\s@]+$/;

/** One rule of `extract` written out; the short form is `"css"` or `"css@attr"`. */
export const ExtractRuleObject = closed(
  {
    selector: Type.String({
      minLength: 1,
      maxLength: 2000,
      description:
        'A CSS selector. In nested rules it searches the descendants of the outer element, which is `:scope`.',
    }),
    type: Type.Optional(
      Type.Enum(['item', 'list'], {
        default: 'item',
        description: '`item`: the first match, or null. `list`: all matches in document order; may be empty.',
      }),
    ),
    output: Type.Optional(
      Type.Union([
        Type.String({
          pattern: '^(text|html|@[^\\s@]+)$',
          description: 'must be `text`, `html`, `@attribute` or an object of rules',
        }),
        Type.Object({}, { title: 'ExtractRules' }),
      ]),
    ),
  },
  { title: 'ExtractRuleObject' },
);
export type ExtractRuleObject = Static<typeof ExtractRuleObject>;

const checkRule = checker(ExtractRuleObject);

/** Counts all rules, nested ones included. */
interface RuleCounter {
  readonly problems: Problems;
  count: number;
}

/**
 * Checks `{name: rule}` and completes the short forms. The schema does not describe the rules, because they nest. The syntax of
 * the selectors is not checked here.
 */
export function readExtractRules(
  rules: unknown,
  pointer: string,
  problems: Problems,
): readonly ExtractRule[] {
  return isObject(rules) ? readRules(rules, pointer, 1, { problems, count: 0 }) : [];
}

function readRules(
  rules: Readonly<Record<string, unknown>>,
  pointer: string,
  depth: number,
  walk: RuleCounter,
): readonly ExtractRule[] {
  const read: ExtractRule[] = [];
  for (const name of Object.keys(rules)) {
    const rulePointer = childPointer(pointer, name);
    if (++walk.count > MAX_RULES) {
      if (walk.count === MAX_RULES + 1)
        addProblem(
          walk.problems,
          rulePointer,
          `is one rule too many; at most ${MAX_RULES}, nested ones included`,
        );
      return read;
    }
    const value = rules[name];
    const rule =
      typeof value === 'string'
        ? readShortRule(name, value, rulePointer, depth, walk)
        : readRuleObject(name, value, rulePointer, depth, walk);
    if (rule !== null) read.push(rule);
  }
  return read;
}

/** `"css"`, `"css@attribute"`; `"@attribute"` of the element that an outer rule has found. */
function readShortRule(
  name: string,
  text: string,
  pointer: string,
  depth: number,
  { problems }: RuleCounter,
): ExtractRule | null {
  const split = attributeIndex(text);
  const css = (split === -1 ? text : text.slice(0, split)).trim();
  const output: ExtractOutput =
    split === -1 ? { kind: 'text' } : { kind: 'attribute', name: text.slice(split + 1).trim() };
  if (css !== '') return { name, selector: css, list: false, output, pointer };
  if (split === -1) addProblem(problems, pointer, 'must not be empty');
  else if (depth === 1)
    addProblem(
      problems,
      pointer,
      'needs a selector before the `@`; without one it is for rules inside of `output`',
    );
  else return { name, selector: null, list: false, output, pointer };
  return null;
}

function readRuleObject(
  name: string,
  value: unknown,
  pointer: string,
  depth: number,
  walk: RuleCounter,
): ExtractRule | null {
  const { problems } = walk;
  const rule = withoutNulls(value, ExtractRuleObject as Schema);
  if (!checkRule(rule, pointer, problems)) return null;
  const { selector, type, output = 'text' } = rule as ExtractRuleObject;
  const common = { name, selector, list: type === 'list', pointer: childPointer(pointer, 'selector') };
  if (output === 'text' || output === 'html') return { ...common, output: { kind: output } };
  if (typeof output === 'string') return { ...common, output: { kind: 'attribute', name: output.slice(1) } };
  const inner = childPointer(pointer, 'output');
  if (depth >= MAX_RULE_DEPTH) {
    addProblem(problems, inner, `is nested deeper than ${MAX_RULE_DEPTH} levels`);
    return null;
  }
  if (Object.keys(output).length === 0) {
    addProblem(problems, inner, 'has no rules');
    return null;
  }
  return {
    ...common,
    output: {
      kind: 'rules',
      rules: readRules(output as Readonly<Record<string, unknown>>, inner, depth + 1, walk),
    },
  };
}

/** Index of the `@` before the attribute: the last one outside of brackets, quotes and escapes; -1: there is none. */
function attributeIndex(text: string): number {
  let found = -1;
  let quote = '';
  let open = 0;
  for (let n = 0; n < text.length; n++) {
    const char = text[n]!;
    if (char === '\\') n++;
    else if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '[' || char === '(') open++;
    else if (char === ']' || char === ')') open--;
    else if (char === '@' && open === 0) found = n;
  }
  return found !== -1 && ATTRIBUTE.test(text.slice(found + 1).trim()) ? found : -1;
}
