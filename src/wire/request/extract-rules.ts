import { type Static, Type } from 'typebox';
import { compileRegex, MAX_REGEX_LENGTH } from '../../domain/caller-regex.ts';
import { isFailure } from '../../domain/failure.ts';
import { closed, isObject, optional } from '../../domain/json-schema.ts';
import { EXTRACT_TRANSFORMS, type ExtractOutput, type ExtractRule } from '../../domain/page-action.ts';
import { withoutNulls } from '../schema/json-value.ts';
import { addProblem, childPointer, type Problems } from '../schema/problems.ts';
import type { Schema } from '../schema/validation.ts';
import { checker } from '../schema/validation.ts';

const MAX_RULE_DEPTH = 10;
const MAX_RULES = 100;
const MAX_ATTRIBUTES = 20;
const ATTRIBUTE = /^[^\s@]+$/;
/** What a selector in XPath begins with; `xpath=` marks others. */
const XPATH_START = /^(?:xpath=|[/(]|\.\.?\/)/;

/** The full form of a rule of `extract`. The short form is `"css"`, `"css@attribute"` or `"//xpath"`. */
export const ExtractRuleObject = closed(
  {
    selector: Type.String({
      minLength: 1,
      maxLength: 2000,
      description:
        'A CSS selector, or XPath 1.0: `xpath=…` (or a leading `/`, `(` or `./`). In nested rules a CSS selector searches the descendants of the outer element, which is `:scope`; for XPath it is the context node (`.`).',
    }),
    ...optional({
      type: Type.Enum(['item', 'list'], {
        default: 'item',
        description: '`item`: the first match, or null. `list`: all matches in document order; may be empty.',
      }),
      output: Type.Union([
        Type.String({
          pattern: '^(text|html|table|@[^\\s@]+)$',
          description:
            'must be `text`, `html`, `table`, `@attribute`, a list of attributes or an object of rules',
        }),
        Type.Array(Type.String({ pattern: '^@[^\\s@]+$', description: 'must be `@attribute`' }), {
          minItems: 1,
          maxItems: MAX_ATTRIBUTES,
          uniqueItems: true,
        }),
        Type.Object({}, { title: 'ExtractRules' }),
      ]),
      regex: Type.String({
        minLength: 1,
        maxLength: MAX_REGEX_LENGTH,
        description:
          'A regular expression in the syntax of RE2. The value is its first group, or all that it matches. `item`: the first match in any of the elements. `list`: all matches in all of them.',
      }),
      transform: Type.Enum([...EXTRACT_TRANSFORMS], {
        description:
          '`number`: the first number in the text. `date`: as RFC 3339. `url`: absolute. `trim`: without white space at both ends. `lower`: in lower case. A text that has no such value is passed over.',
      }),
    }),
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

const PLAIN = { list: false, regex: null, transform: null } as const;

function readSelector(written: string): Pick<ExtractRule, 'selector' | 'language'> {
  const text = written.trim();
  if (XPATH_START.test(text)) return { selector: text.replace(/^xpath=/, ''), language: 'xpath' };
  return { selector: text.replace(/^css=/, ''), language: 'css' };
}

/**
 * Reads `"css"`, `"css@attribute"`, `"//xpath"`, or in a nested rule `"@attribute"`, which is an attribute of the outer
 * element.
 */
function readShortRule(
  name: string,
  text: string,
  pointer: string,
  depth: number,
  { problems }: RuleCounter,
): ExtractRule | null {
  if (XPATH_START.test(text.trim()))
    return { ...PLAIN, name, ...readSelector(text), output: { kind: 'text' }, pointer };
  const atSign = attributeIndex(text);
  const css = (atSign === -1 ? text : text.slice(0, atSign)).trim();
  const output: ExtractOutput =
    atSign === -1 ? { kind: 'text' } : { kind: 'attribute', name: text.slice(atSign + 1).trim() };
  if (css !== '') return { ...PLAIN, name, ...readSelector(css), output, pointer };
  if (atSign === -1) addProblem(problems, pointer, 'must not be empty');
  else if (depth === 1)
    addProblem(
      problems,
      pointer,
      'needs a selector before the `@`; without one it is for rules inside of `output`',
    );
  else return { ...PLAIN, name, selector: null, language: 'css', output, pointer };
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
  const {
    selector,
    type,
    regex = null,
    transform = null,
    output: written = 'text',
  } = rule as ExtractRuleObject;
  const output = readOutput(written, childPointer(pointer, 'output'), depth, counter);
  if (output === null) return null;
  if (!checkTextMembers({ regex, transform }, output, pointer, problems)) return null;
  return {
    name,
    ...readSelector(selector),
    list: type === 'list',
    output,
    regex,
    transform,
    pointer: childPointer(pointer, 'selector'),
  };
}

/** `regex` and `transform` are for outputs that are one text. */
function checkTextMembers(
  members: Pick<ExtractRule, 'regex' | 'transform'>,
  output: ExtractOutput,
  pointer: string,
  problems: Problems,
): boolean {
  const before = problems.length;
  const isText = output.kind === 'text' || output.kind === 'html' || output.kind === 'attribute';
  for (const member of ['regex', 'transform'] as const)
    if (members[member] !== null && !isText)
      addProblem(
        problems,
        childPointer(pointer, member),
        'needs an `output` that is one text: `text`, `html` or `@attribute`',
      );
  if (members.regex !== null) {
    const compiled = compileRegex(members.regex, childPointer(pointer, 'regex'));
    if (isFailure(compiled)) problems.push(compiled);
  }
  return problems.length === before;
}

function readOutput(
  output: NonNullable<ExtractRuleObject['output']>,
  pointer: string,
  depth: number,
  counter: RuleCounter,
): ExtractOutput | null {
  if (output === 'text' || output === 'html' || output === 'table') return { kind: output };
  if (typeof output === 'string') return { kind: 'attribute', name: output.slice(1) };
  if (Array.isArray(output))
    return { kind: 'attributes', names: output.map((attribute: string) => attribute.slice(1)) };
  const { problems } = counter;
  if (depth >= MAX_RULE_DEPTH) {
    addProblem(problems, pointer, `is nested deeper than ${MAX_RULE_DEPTH} levels`);
    return null;
  }
  if (Object.keys(output).length === 0) {
    addProblem(problems, pointer, 'has no rules');
    return null;
  }
  const rules = output as Readonly<Record<string, unknown>>;
  return { kind: 'rules', rules: readRules(rules, pointer, depth + 1, counter) };
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
