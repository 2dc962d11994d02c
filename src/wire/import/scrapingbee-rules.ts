import { isObject } from '../../domain/json-schema.ts';
import { problem, readJsonParameter } from './scrapingbee-draft.ts';

/** Rules of ScrapingBee by name: a selector, or an object with `selector`, `type`, `output` and `clean`. */
export type BeeRules = Readonly<Record<string, unknown>>;

/** `extract_rules` as they were sent. @throws ParameterProblem */
export function readRules(value: string): BeeRules {
  const rules = readJsonParameter(value);
  return isObject(rules) ? rules : problem('must be an object of rules by name');
}

/** Their rules → `extract`. @throws ParameterProblem */
export const translateRules = (rules: BeeRules): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [name, isObject(rule) ? translateRule(name, rule) : rule]),
  );

function translateRule(name: string, rule: BeeRules): Record<string, unknown> {
  const { output, clean = true, ...rest } = rule;
  if (clean !== true)
    return problem(`has \`clean: false\` in the rule \`${name}\`; texts are always trimmed`);
  if (output === 'text_relevant')
    return problem(`has the output \`text_relevant\` in the rule \`${name}\`, which is not available`);
  return {
    ...rest,
    ...(output !== undefined && {
      output: isObject(output) ? translateRules(output) : isTable(output) ? 'table' : output,
    }),
  };
}

const isTable = (output: unknown): boolean => output === 'table_json' || output === 'table_array';

interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Gives the tables of a result of `extract` the form that their rules ask for; everything else stays. */
export function withTheirTables(result: unknown, rules: BeeRules): unknown {
  if (!isObject(result)) return result;
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => {
      const { output } = isObject(rules[name]) ? rules[name] : {};
      const one = (item: unknown) =>
        isObject(output)
          ? withTheirTables(item, output)
          : isTable(output)
            ? theirTable(item as Table | null, output === 'table_json')
            : item;
      return [name, Array.isArray(value) ? value.map(one) : one(value)];
    }),
  );
}

/** `table_json`: an object for each row, by the names of the columns. `table_array`: the cells of each row. */
function theirTable(table: Table | null, asObjects: boolean): unknown {
  if (table === null || !asObjects) return table?.rows ?? null;
  return table.rows.map((row) =>
    Object.fromEntries(row.map((cell, index) => [table.header[index] ?? String(index), cell])),
  );
}
