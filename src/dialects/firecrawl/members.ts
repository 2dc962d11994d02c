import { nearestName } from '../../base/nearest-name.ts';
import { isObject } from '../../domain/json-schema.ts';
import { BadRequest } from './bad-request.ts';

export type Json = Readonly<Record<string, unknown>>;

/** What becomes of a member of a request. `says` is for the documentation and, of refused members, for the caller. */
type Member<D> = SupportedMember<D> | RefusedMember | IgnoredMember;

interface SupportedMember<D> {
  readonly kind: 'supported';
  readonly says: string;
  readonly read: (value: unknown, draft: D, at: string) => void;
}

interface RefusedMember {
  readonly kind: 'refused';
  readonly says: string;
  readonly unless: readonly unknown[];
}

interface IgnoredMember {
  readonly kind: 'ignored';
  readonly says: string;
}

export type Members<D> = Readonly<Record<string, Member<D>>>;

export const supported = <D>(
  says: string,
  read: (value: unknown, draft: D, at: string) => void,
): SupportedMember<D> => ({ kind: 'supported', says, read });

/** A member that is only stored, under a name of the draft. */
export const stored = <D, Name extends keyof D>(
  says: string,
  name: Name,
  read: (value: unknown, at: string) => D[Name],
): SupportedMember<D> =>
  supported(says, (value, draft, at) => {
    draft[name] = read(value, at);
  });

/** @param unless values that ask for nothing, and are accepted */
export const refused = (says: string, unless: readonly unknown[] = []): RefusedMember => ({
  kind: 'refused',
  says,
  unless,
});

export const ignored = (says: string): IgnoredMember => ({ kind: 'ignored', says });

/**
 * Reads the members of an object by a table. null is the same as an absent member.
 * @param at where the object is in the request, such as `scrapeOptions`; '': it is the request
 * @throws BadRequest
 */
export function readMembers<D>(table: Members<D>, value: unknown, draft: D, at: string): void {
  if (!isObject(value)) throw new BadRequest(`${at === '' ? 'The request' : at} must be a JSON object.`);
  for (const [name, member] of Object.entries(value)) {
    if (member === null || member === undefined) continue;
    const path = at === '' ? name : `${at}.${name}`;
    const row = Object.hasOwn(table, name) ? table[name]! : null;
    if (row === null) {
      const near = nearestName(name, Object.keys(table));
      throw new BadRequest(`Unrecognized key: ${path}.${near === null ? '' : ` Did you mean ${near}?`}`);
    }
    if (row.kind === 'supported') row.read(member, draft, path);
    if (row.kind === 'refused' && !row.unless.includes(member))
      throw new BadRequest(`${path} is not supported by this service: ${row.says}`);
  }
}

const wrong = (at: string, what: string): BadRequest => new BadRequest(`${at} must be ${what}.`);

export function textAt(value: unknown, at: string): string {
  if (typeof value !== 'string' || value === '') throw wrong(at, 'a text');
  return value;
}

export function booleanAt(value: unknown, at: string): boolean {
  if (typeof value !== 'boolean') throw wrong(at, 'true or false');
  return value;
}

export function numberAt(value: unknown, at: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw wrong(at, 'a number from 0');
  return value;
}

export function choiceAt<const T extends string>(value: unknown, at: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw wrong(at, `one of ${choices.join(', ')}`);
  return found;
}

export function listAt(value: unknown, at: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(at, 'a list');
  return value;
}

export const textsAt = (value: unknown, at: string): readonly string[] =>
  listAt(value, at).map((entry, index) => textAt(entry, `${at}[${index}]`));

export function objectAt(value: unknown, at: string): Json {
  if (!isObject(value)) throw wrong(at, 'a JSON object');
  return value;
}
