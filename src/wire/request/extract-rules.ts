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

/** The full form of a rule of `extract`. The short form is `"css"` or `"css@attribute"`. */
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

interface RuleCounter {
  readonly problems: Problems;
  /** Rules read so far, nested ones included. */
  count: number;
}

/**
 * Reads `{name: rule}`, and checks each rule: the schema of the request does not, because rules nest. The syntax of the
 * selectors is checked later, by `requestProblems`: this room may not import a CSS parser.
 */
export function readExtractRules(
  rules: unknown,
  pointer: string,
  problems: Problems,
): readonly ExtractRule[] {
  return isObject(rules) ? readRules(rules, pointer, 1, { problems, count: 0 }) : [];
}

/** @param depth 1: the outermost rules */
function readRules(
  rules: Readonly<Record<string, unknown>>,
  pointer: string,
  depth: number,
  counter: RuleCounter,
): readonly ExtractRule[] {
  const extractRules: ExtractRule[] = [];
  for (const name of Object.keys(rules)) {
    const rulePointer = childPointer(pointer, name);
    if (++counter.count > MAX_RULES) {
      if (counter.count === MAX_RULES + 1)
        addProblem(
          counter.problems,
          rulePointer,
          `is one rule too many; at most ${MAX_RULES}, nested ones included`,
        );
      return extractRules;
    }
    const value = rules[name];
    const rule =
      typeof value === 'string'
        ? readShortRule(name, value, rulePointer, depth, counter)
        : readRuleObject(name, value, rulePointer, depth, counter);
    if (rule !== null) extractRules.push(rule);
  }
  return extractRules;
}

/** Reads `"css"`, `"css@attribute"`, or in a nested rule `"@attribute"`, which is an attribute of the outer element. */
function readShortRule(
  name: string,
  text: string,
  pointer: string,
  depth: number,
  { problems }: RuleCounter,
): ExtractRule | null {
  const atSign = attributeIndex(text);
  const css = (atSign === -1 ? text : text.slice(0, atSign)).trim();
  const output: ExtractOutput =
    atSign === -1 ? { kind: 'text' } : { kind: 'attribute', name: text.slice(atSign + 1).trim() };
  if (css !== '') return { name, selector: css, list: false, output, pointer };
  if (atSign === -1) addProblem(problems, pointer, 'must not be empty');
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
  counter: RuleCounter,
): ExtractRule | null {
  const { problems } = counter;
  const rule = withoutNulls(value, ExtractRuleObject as Schema);
  if (!checkRule(rule, pointer, problems)) return null;
  const { selector, type, output = 'text' } = rule as ExtractRuleObject;
  const common = { name, selector, list: type === 'list', pointer: childPointer(pointer, 'selector') };
  if (output === 'text' || output === 'html') return { ...common, output: { kind: output } };
  if (typeof output === 'string') return { ...common, output: { kind: 'attribute', name: output.slice(1) } };
  const outputPointer = childPointer(pointer, 'output');
  if (depth >= MAX_RULE_DEPTH) {
    addProblem(problems, outputPointer, `is nested deeper than ${MAX_RULE_DEPTH} levels`);
    return null;
  }
  if (Object.keys(output).length === 0) {
    addProblem(problems, outputPointer, 'has no rules');
    return null;
  }
  return {
    ...common,
    output: {
      kind: 'rules',
      rules: readRules(output as Readonly<Record<string, unknown>>, outputPointer, depth + 1, counter),
    },
  };
}

/** Index of the `@` before the attribute: the last one outside of brackets, quotes and escapes; -1: there is none. */
function attributeIndex(text: string): number {
  let atSign = -1;
  let quote = '';
  let openBrackets = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (char === '\\') index++;
    else if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '[' || char === '(') openBrackets++;
    else if (char === ']' || char === ')') openBrackets--;
    else if (char === '@' && openBrackets === 0) atSign = index;
  }
  return atSign !== -1 && ATTRIBUTE.test(text.slice(atSign + 1).trim()) ? atSign : -1;
}
