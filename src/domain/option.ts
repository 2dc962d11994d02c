import { isDeepStrictEqual } from 'node:util';
import { type Static, type TOptional, type TSchema, Type } from 'typebox';
import { UNAVAILABLE } from './json-schema.ts';
import { SCRAPER_NAMES, SCRAPERS, type ScraperEngine, type ScraperName } from './scrapers.ts';

/** What controls a browser: playwright-core, or Sluice itself by the DevTools protocol, which is faster and does less. */
export const DRIVERS = ['playwright', 'cdp'] as const;
export type Driver = (typeof DRIVERS)[number];

/** Who does what an option asks for. */
interface Support {
  readonly scrapers: readonly ScraperName[];
  /** Of the scrapers that are browsers. `playwright` is used for whatever `cdp` does not do. */
  readonly drivers: readonly Driver[];
}

const scrapersWith = (engine: ScraperEngine) =>
  SCRAPER_NAMES.filter((name) => SCRAPERS[name].engine === engine);

export const EVERY_SCRAPER: Support = { scrapers: SCRAPER_NAMES, drivers: DRIVERS };
export const HTTP_CLIENTS: Support = { scrapers: scrapersWith('http'), drivers: [] };
export const BROWSERS: Support = { scrapers: scrapersWith('browser'), drivers: DRIVERS };
/** Browsers, by the driver `playwright` alone. */
export const PLAYWRIGHT: Support = { scrapers: scrapersWith('browser'), drivers: ['playwright'] };
/** Known, but not available in this version: the option is refused. */
export const NOBODY: Support = { scrapers: [], drivers: [] };

/** A member of the request, described once: all that there is to it but the code that honours it. */
export interface Option<Schema extends TSchema, Value, IsParsed extends boolean> {
  readonly schema: Schema;
  /** What the job has where the request says nothing. It is honoured by all. */
  readonly default: Value;
  readonly honouredBy: Support;
  /** Whether the driver `cdp` honours this value, where `honouredBy` does not name it. */
  cdpHonours?(value: Value): boolean;
  /** Also who asks for the default wants a scraper that honours the option. */
  readonly defaultCounts?: boolean;
  /** Its value is shown in no message and no record. */
  readonly secret?: boolean;
  /** A parser in `wire` makes its value in the job from the one in the request. */
  readonly isParsed: IsParsed;
}

type Row<Schema extends TSchema, Value> = Omit<Option<Schema, Value, boolean>, 'isParsed'> & {
  readonly description?: string;
  readonly 'x-sluice-needs'?: string;
};

/** An option whose value in the job is the one in the request. The schema shows its default. */
export function option<Schema extends TSchema, const Default extends Static<Schema> | null>(
  row: Row<Schema, Default>,
): Option<Schema, Static<Schema> | Default, false> {
  const shown = row.default === null || row.defaultCounts === true ? {} : { default: row.default };
  return { ...described(row, shown), isParsed: false };
}

/** An option whose value in the job is not the one in the request. The types demand a parser for it. */
export function parsedOption<Schema extends TSchema, Value>(
  row: Row<Schema, Value>,
): Option<Schema, Value, true> {
  return { ...described(row, {}), isParsed: true };
}

/** The default of a parsed option, with the type that its values have in the job. */
export const jobValue = <Value>(value: Value): Value => value;

function described<Schema extends TSchema, Value>(row: Row<Schema, Value>, shown: { default?: Value }) {
  const { description, 'x-sluice-needs': needs, ...rest } = row;
  Object.assign(
    row.schema,
    shown,
    description !== undefined && { description },
    needs !== undefined && { 'x-sluice-needs': needs },
    row.honouredBy === NOBODY && UNAVAILABLE,
  );
  return rest;
}

/** Options by their names in the request. */
export type OptionTable = Readonly<Record<string, Option<TSchema, unknown, boolean>>>;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The options as the job has them. */
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

/** The members of a JSON schema that these options are; each may be left out. */
export function schemaMembers<Table extends OptionTable>(table: Table) {
  const members = Object.entries(table).map(([name, { schema }]) => [name, Type.Optional(schema)]);
  return Object.fromEntries(members) as { [Name in keyof Table]: TOptional<Table[Name]['schema']> };
}

/** Whether a driver does all that these values ask for. */
export function driverHonours<Table extends OptionTable>(
  driver: Driver,
  table: Table,
  values: OptionValues<Table>,
): boolean {
  const given: Readonly<Record<string, unknown>> = values;
  return Object.entries(table).every(([name, row]) => {
    const value = given[camelCase(name)];
    return (
      row.honouredBy.drivers.includes(driver) ||
      isDeepStrictEqual(value, row.default) ||
      (driver === 'cdp' && row.cdpHonours?.(value) === true)
    );
  });
}
