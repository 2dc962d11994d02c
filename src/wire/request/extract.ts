import { type Static, Type } from 'typebox';
import { closed, isObject } from '../schema/build.ts';
import { checker } from '../schema/checker.ts';
import { pointTo } from '../schema/pointer.ts';
import { type Problems, wrong } from '../schema/problems.ts';

const DEEPEST = 10;

/** One rule of `extract` written out; the short form is `"css"` or `"css@attr"`. */
export const ExtractRuleObject = closed(
  {
    selector: Type.String({ minLength: 1, maxLength: 2000 }),
    type: Type.Optional(Type.Enum(['item', 'list'], { default: 'item' })),
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

/** Checks `{name: rule}`, whose rules the schema leaves open because they nest. */
export function checkExtract(rules: unknown, at: string, problems: Problems, depth = 1): void {
  if (!isObject(rules)) return;
  for (const name of Object.keys(rules)) {
    const rule = rules[name];
    const place = pointTo(at, name);
    if (typeof rule === 'string') {
      if (rule.trim() === '') wrong(problems, place, 'must not be empty');
    } else if (checkRule(rule, place, problems) && isObject(rule) && isObject(rule.output)) {
      const inner = pointTo(place, 'output');
      if (depth >= DEEPEST) wrong(problems, inner, `is nested deeper than ${DEEPEST} levels`);
      else checkExtract(rule.output, inner, problems, depth + 1);
    }
  }
}
