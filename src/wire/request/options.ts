import type { Static } from 'typebox';
import { camelCase, type Option, type OptionTable, type OptionValues } from '../../domain/option.ts';
import { SCRAPER_NAMES } from '../../domain/scrapers.ts';
import { isRequested } from '../schema/json-value.ts';
import { addUnavailable, childPointer, type Problems } from '../schema/problems.ts';

/** Makes the value in the job from one that fits the schema. What is wrong with its meaning is added to `problems`. */
type OptionParser<Row> =
  Row extends Option<infer Schema, infer Value, boolean>
    ? (value: Static<Schema>, pointer: string, problems: Problems) => Value
    : never;

/** A parser for each option of the table that needs one. */
export type OptionParsers<Table extends OptionTable> = {
  readonly [Name in keyof Table as Table[Name]['isParsed'] extends true ? Name : never]: OptionParser<
    Table[Name]
  >;
};

/** Options in the request, checked against the schemas of the table. */
type GivenOptions<Table extends OptionTable> = {
  readonly [Name in keyof Table]?: Static<Table[Name]['schema']>;
};

interface OptionsReader<Table extends OptionTable> {
  readonly table: Table;
  readonly defaults: OptionValues<Table>;
  readonly parsers: OptionParsers<Table>;
  /** Pointer of the object that has the options as members. */
  readonly at: string;
}

/** The options as the job has them. */
export function readOptions<Table extends OptionTable>(
  { table, defaults, parsers, at }: OptionsReader<Table>,
  given: GivenOptions<Table>,
  problems: Problems,
): OptionValues<Table> {
  const parserOf: Readonly<Record<string, OptionParser<OptionTable[string]> | undefined>> = parsers;
  let changed: Record<string, unknown> | null = null;
  for (const [name, row] of Object.entries(table)) {
    const value = given[name];
    if (value === undefined) continue;
    const pointer = childPointer(at, name);
    if (row.honouredBy.scrapers.length === 0 && isOptionRequested(row, value))
      addUnavailable(problems, pointer);
    changed ??= { ...defaults };
    const parse = parserOf[name];
    changed[camelCase(name)] = parse === undefined ? value : parse(value, pointer, problems);
  }
  return changed === null ? defaults : (changed as OptionValues<Table>);
}

/** Pointers of the options that the request asks for and that not every scraper honours (contract §1). */
export function requestedPointers(
  table: OptionTable,
  given: GivenOptions<OptionTable>,
  at: string,
): readonly string[] {
  const pointers: string[] = [];
  for (const [name, row] of Object.entries(table))
    if (row.honouredBy.scrapers.length < SCRAPER_NAMES.length && isOptionRequested(row, given[name]))
      pointers.push(childPointer(at, name));
  return pointers;
}

function isOptionRequested(row: OptionTable[string], value: unknown): boolean {
  if (value === undefined) return false;
  if (row.defaultCounts === true) return true;
  return row.isParsed || row.default === null ? isRequested(value) : value !== row.default;
}
