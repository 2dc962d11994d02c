import { isDeepStrictEqual } from 'node:util';
import { type Static, type TOptional, type TSchema, Type } from 'typebox';
import { SCRAPER_NAMES, SCRAPERS, type ScraperEngine, type ScraperName } from './scrapers.ts';

/** What controls a browser: playwright-core, or Sluice's own client of the DevTools protocol, which is faster and can do less. */
export const DRIVERS = ['playwright', 'cdp'] as const;
export type Driver = (typeof DRIVERS)[number];

/** Which scrapers and browser drivers honour an option. */
interface Support {
  readonly scrapers: readonly ScraperName[];
  /** For scrapers that are browsers. A task that `cdp` cannot do gets `playwright`. */
  readonly drivers: readonly Driver[];
}

const scrapersWith = (engine: ScraperEngine) =>
  SCRAPER_NAMES.filter((name) => SCRAPERS[name].engine === engine);

export const EVERY_SCRAPER: Support = { scrapers: SCRAPER_NAMES, drivers: DRIVERS };
export const HTTP_CLIENTS: Support = { scrapers: scrapersWith('http'), drivers: [] };
export const BROWSERS: Support = { scrapers: scrapersWith('browser'), drivers: DRIVERS };
/** Browsers, but only with the driver `playwright`. */
export const PLAYWRIGHT: Support = { scrapers: scrapersWith('browser'), drivers: ['playwright'] };

/** A member of the request: its schema, default and support. Everything but the code that honours it is derived from this. */
export interface Option<Schema extends TSchema, Value, IsParsed extends boolean> {
  readonly schema: Schema;
  /** Value in the task if the request does not have the member. Every scraper honours it. */
  readonly default: Value;
  readonly honouredBy: Support;
  /** Whether the driver `cdp` honours this value although `honouredBy` does not list `cdp`. */
  cdpHonours?(value: Value): boolean;
  /** A request that states the default also needs a scraper that honours the option. */
  readonly defaultNeedsSupport?: boolean;
  /** The value appears in no message and no record. */
  readonly secret?: boolean;
  /** A parser in `wire` converts the value of the request into the value of the task. */
  readonly isParsed: IsParsed;
}

type Row<Schema extends TSchema, Value> = Omit<Option<Schema, Value, boolean>, 'isParsed'> & {
  readonly description?: string;
  readonly 'x-sluice-needs'?: string;
};

/** An option whose value is the same in the request and in the task. Its default is added to the schema. */
export function option<Schema extends TSchema, const Default extends Static<Schema> | null>(
  row: Row<Schema, Default>,
): Option<Schema, Static<Schema> | Default, false> {
  const schemaDefault =
    row.default === null || row.defaultNeedsSupport === true ? {} : { default: row.default };
  return { ...annotateSchema(row, schemaDefault), isParsed: false };
}

/** An option that a parser converts. `PARSERS` in `wire` does not compile without one. */
export function parsedOption<Schema extends TSchema, Value>(
  row: Row<Schema, Value>,
): Option<Schema, Value, true> {
  return { ...annotateSchema(row, {}), isParsed: true };
}

/** Marks the default of a parsed option, so that it has the type of the option's values in the task, not that of a literal. */
export const taskValue = <Value>(value: Value): Value => value;

/** Adds description, default and `x-sluice-…` to the row's schema, and returns the other members of the row. */
function annotateSchema<Schema extends TSchema, Value>(
  row: Row<Schema, Value>,
  schemaDefault: { default?: Value },
) {
  const { description, 'x-sluice-needs': needs, ...rest } = row;
  Object.assign(
    row.schema,
    schemaDefault,
    description !== undefined && { description },
    needs !== undefined && { 'x-sluice-needs': needs },
  );
  return rest;
}

/** Options by their names in the request. */
export type OptionTable = Readonly<Record<string, Option<TSchema, unknown, boolean>>>;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The values of the options in the task: names in camel case. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table & string as CamelCase<Name>]: Table[Name]['default'];
};

/** `color_scheme` → `colorScheme`. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

export function defaultValues<Table extends OptionTable>(table: Table): OptionValues<Table> {
  const members = Object.entries(table).map(([name, row]) => [camelCase(name), row.default]);
  return Object.freeze(Object.fromEntries(members)) as OptionValues<Table>;
}

/** The options as optional members of a JSON schema. */
export function schemaMembers<Table extends OptionTable>(table: Table) {
  const members = Object.entries(table).map(([name, { schema }]) => [name, Type.Optional(schema)]);
  return Object.fromEntries(members) as { [Name in keyof Table]: TOptional<Table[Name]['schema']> };
}

/** Whether a driver honours all of these values. */
export function driverHonours<Table extends OptionTable>(
  driver: Driver,
  table: Table,
  values: OptionValues<Table>,
): boolean {
  const valuesByName: Readonly<Record<string, unknown>> = values;
  return Object.entries(table).every(([name, row]) => {
    const value = valuesByName[camelCase(name)];
    return (
      row.honouredBy.drivers.includes(driver) ||
      isDeepStrictEqual(value, row.default) ||
      (driver === 'cdp' && row.cdpHonours?.(value) === true)
    );
  });
}
