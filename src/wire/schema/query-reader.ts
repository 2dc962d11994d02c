import type { TSchema } from 'typebox';
import type { Principal } from '../../domain/account.ts';
import type { Failure } from '../../domain/failure.ts';
import { SCRAPER_NAMES, type ScraperName, scraperNamed } from '../../domain/scrapers.ts';
import { parseDateTime } from '../date-time.ts';
import { addProblem, addValueProblem, childPointer, type Problems } from './problems.ts';

/** A parsed query string. A repeated parameter is a list. */
export type QueryParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A parameter of a path or a query, for the OpenAPI document. */
export interface ParameterSpec {
  readonly description: string;
  readonly schema: TSchema;
}

/** The part of the caller that decides which records are visible. */
export type Viewer = Pick<Principal, 'userId' | 'role' | 'keyId'> & Partial<Pick<Principal, 'scopes'>>;

export interface QuerySpec<Q> {
  /** All parameters, in the order of the OpenAPI document. */
  readonly parameters: Readonly<Record<string, ParameterSpec>>;
  /** Absent: the parameters are documented, but not read. */
  readonly read?: (query: QueryReader, viewer: Viewer) => Q;
}

type ParsedQuery<Q> =
  | { readonly value: Q; readonly problems: null }
  | { readonly value: null; readonly problems: readonly Failure[] };

/** Reads a query. Unknown parameters are problems. */
export function parseQuery<Q>(
  { parameters, read }: Required<QuerySpec<Q>>,
  query: QueryParameters,
  viewer: Viewer,
): ParsedQuery<Q> {
  const reader = new QueryReader(query, Object.keys(parameters));
  const value = read(reader, viewer);
  return reader.problems.length > 0 ? { value: null, problems: reader.problems } : { value, problems: null };
}

/** Reads the parameters of a query, and collects the problems. Each method returns null if the parameter is absent or wrong. */
export class QueryReader {
  readonly #values = new Map<string, string>();
  readonly #problems: Problems = [];

  constructor(query: QueryParameters, known: readonly string[]) {
    for (const [name, value] of Object.entries(query)) {
      const pointer = childPointer('', name);
      if (!known.includes(name)) {
        addProblem(this.#problems, pointer, `is unknown; known parameters are ${known.join(', ')}`);
      } else if (typeof value === 'string') {
        // HTML forms send fields without a value as empty parameters: they count as absent.
        if (value !== '') this.#values.set(name, value);
      } else if (value !== undefined) addProblem(this.#problems, pointer, 'may be given only once');
    }
  }

  get problems(): readonly Failure[] {
    return this.#problems;
  }

  text(name: string): string | null {
    return this.#values.get(name) ?? null;
  }

  integer(name: string, low: number, high: number): number | null {
    const text = this.text(name);
    if (text === null) return null;
    const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= low && number <= high) return number;
    return this.addProblem(name, `must be a whole number between ${low} and ${high}`);
  }

  /** Milliseconds since the epoch. */
  dateTime(name: string): number | null {
    const text = this.text(name);
    if (text === null) return null;
    // The `+` of the time zone becomes a space if the caller does not percent-encode it.
    const ms = parseDateTime(text.replace(/ (\d\d:\d\d)$/, '+$1'));
    if (ms === null) this.addProblem(name, 'must be an RFC 3339 time such as 2026-01-31T12:00:00Z');
    return ms;
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | null {
    const text = this.text(name);
    if (text === null) return null;
    const value = allowed.find((candidate) => candidate === text);
    return value ?? this.addProblem(name, `must be one of ${allowed.join(', ')}`);
  }

  /** Absent: false. */
  flag(name: string): boolean {
    return this.oneOf(name, ['true', 'false']) === 'true';
  }

  scraper(name: string): ScraperName | null {
    const text = this.text(name);
    if (text === null) return null;
    return (
      scraperNamed(text) ?? this.addProblem(name, `must be one of ${SCRAPER_NAMES.join(', ')}, vendor:<name>`)
    );
  }

  /** Reads `name:value`. The value may contain colons. */
  nameValue(name: string): { readonly name: string; readonly value: string } | null {
    const text = this.text(name);
    if (text === null) return null;
    const colon = text.indexOf(':');
    if (colon > 0) return { name: text.slice(0, colon), value: text.slice(colon + 1) };
    return this.addProblem(name, 'must have the form name:value');
  }

  /** @param message continues the sentence that begins with the name of the parameter */
  addProblem(name: string, message: string): null {
    addValueProblem(this.#problems, childPointer('', name), message, this.text(name));
    return null;
  }
}
