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
type RequestOptions<Table extends OptionTable> = {
  readonly [Name in keyof Table]?: Static<Table[Name]['schema']>;
};

interface OptionsReader<Table extends OptionTable> {
  /** The options as the job has them. */
  read(options: RequestOptions<Table>, problems: Problems): OptionValues<Table>;
  /** Pointers of the options that the request asks for and that not every scraper honours (contract §1). */
  requested(options: RequestOptions<Table>): readonly string[];
}

/** @param parentPointer of the object that has the options as members */
export function createOptionsReader<Table extends OptionTable>(
  table: Table,
  defaults: OptionValues<Table>,
  parsers: OptionParsers<Table>,
  parentPointer: string,
): OptionsReader<Table> {
  const parserOf: Readonly<Record<string, OptionParser<OptionTable[string]> | undefined>> = parsers;
  const entries = Object.entries(table).map(([name, row]) => ({
    name,
    row,
    nameInJob: camelCase(name),
    pointer: childPointer(parentPointer, name),
    parse: parserOf[name],
  }));
  const limiting = entries.filter(({ row }) => row.honouredBy.scrapers.length < SCRAPER_NAMES.length);
  return {
    read(options, problems) {
      let values: Record<string, unknown> | null = null;
      for (const { name, row, nameInJob, pointer, parse } of entries) {
        const value = options[name];
        if (value === undefined) continue;
        if (row.honouredBy.scrapers.length === 0 && isOptionRequested(row, value))
          addUnavailable(problems, pointer);
        values ??= { ...defaults };
        values[nameInJob] = parse === undefined ? value : parse(value, pointer, problems);
      }
      // The only cast between request and job: the types of the rows and of the parsers make it true.
      return values === null ? defaults : (values as OptionValues<Table>);
    },
    requested: (options) =>
      limiting.flatMap(({ name, row, pointer }) => (isOptionRequested(row, options[name]) ? pointer : [])),
  };
}

function isOptionRequested(row: OptionTable[string], value: unknown): boolean {
  if (value === undefined) return false;
  if (row.defaultCounts === true) return true;
  return row.isParsed || row.default === null ? isRequested(value) : value !== row.default;
}
