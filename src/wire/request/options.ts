import type { Static } from 'typebox';
import { camelCase, type Option, type OptionTable, type OptionValues } from '../../domain/option.ts';
import { SCRAPER_NAMES } from '../../domain/scrapers.ts';
import { isRequested } from '../schema/json-value.ts';
import { childPointer, type Problems } from '../schema/problems.ts';

/** Converts a value that matches the schema into the value in the task. Adds to `problems` what the schema cannot check. */
type OptionParser<Row> =
  Row extends Option<infer Schema, infer Value, boolean>
    ? (value: Static<Schema>, pointer: string, problems: Problems) => Value
    : never;

/** A parser for each `parsedOption` of the table. */
export type OptionParsers<Table extends OptionTable> = {
  readonly [Name in keyof Table as Table[Name]['isParsed'] extends true ? Name : never]: OptionParser<
    Table[Name]
  >;
};

/** The options in a request that matches the schema. */
type RequestOptions<Table extends OptionTable> = {
  readonly [Name in keyof Table]?: Static<Table[Name]['schema']>;
};

interface OptionsReader<Table extends OptionTable> {
  /** Converts the options into their values in the task. */
  read(options: RequestOptions<Table>, problems: Problems): OptionValues<Table>;
  /** Pointers of the options in the request that not every scraper honours (contract §1). */
  requested(options: RequestOptions<Table>): readonly string[];
}

/** @param parentPointer pointer of the object whose members are the options */
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
    nameInTask: camelCase(name),
    pointer: childPointer(parentPointer, name),
    parse: parserOf[name],
  }));
  const notHonouredByAll = entries.filter(({ row }) => row.honouredBy.scrapers.length < SCRAPER_NAMES.length);
  return {
    read(options, problems) {
      let values: Record<string, unknown> | null = null;
      for (const { name, nameInTask, pointer, parse } of entries) {
        const value = options[name];
        if (value === undefined) continue;
        values ??= { ...defaults };
        values[nameInTask] = parse === undefined ? value : parse(value, pointer, problems);
      }
      // This cast is safe: the types of the table and of the parsers demand exactly these members.
      return values === null ? defaults : (values as OptionValues<Table>);
    },
    requested(options) {
      const pointers: string[] = [];
      for (const { name, row, pointer } of notHonouredByAll)
        if (isOptionRequested(row, options[name])) pointers.push(pointer);
      return pointers;
    },
  };
}

/** Whether the request sets the option to a value that needs a scraper which honours it: usually any but the default. */
function isOptionRequested(row: OptionTable[string], value: unknown): boolean {
  if (value === undefined) return false;
  if (row.defaultNeedsSupport === true) return true;
  return row.isParsed || row.default === null ? isRequested(value) : value !== row.default;
}
