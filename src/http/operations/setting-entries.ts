import { type TObject, type TSchema, Type } from 'typebox';
import type { Failure } from '../../domain/failure.ts';
import { orNull } from '../../domain/json-schema.ts';
import type { SettingsFileState } from '../../domain/pools.ts';
import type { SettingEntry } from '../../ports/settings.ts';
import type { ParsedBody } from '../../wire/schema/body-parser.ts';
import { withoutValues } from '../../wire/schema/settings-text.ts';
import { notFoundRefusal, Refusal } from '../core/refusal.ts';
import { problem } from '../core/responses.ts';

/** A member of the same schema that may be left out; null removes it. */
const orRemoved = (schema: TSchema): TSchema => Type.Optional(orNull(schema as never));

/** The members of a PATCH: all but the name. Those that the entry needs cannot be removed. */
export function patchMembers(schema: TObject): Record<string, TSchema> {
  const required = new Set(schema.required as readonly string[]);
  return Object.fromEntries(
    Object.entries(schema.properties)
      .filter(([name]) => name !== 'name')
      .map(([name, member]) => [name, required.has(name) ? Type.Optional(member) : orRemoved(member)]),
  );
}

export const ProblemList = Type.Array(Type.String(), {
  description: 'Why it is not used, such as a price without `SLUICE_PRICES`. Empty: it is used.',
});
export const Source = Type.Enum(['file', 'database'], {
  description: '`file`: the file of the operator, which this API cannot change.',
});

/** Messages without values, because a value may be a password. */
export const safeProblems = (problems: readonly Failure[]): readonly Failure[] =>
  problems.map((found) => ({ ...found, message: withoutValues(found.message) }));

/** A body whose problems do not quote its values. */
export const withSafeMessages = <T, S extends { readonly parse: (body: unknown) => ParsedBody<T> }>(
  spec: S & { readonly parse: (body: unknown) => ParsedBody<T> },
): S => ({
  ...spec,
  parse(body: unknown): ParsedBody<T> {
    const parsed = spec.parse(body);
    return parsed.problems === null ? parsed : { value: null, problems: safeProblems(parsed.problems) };
  },
});

/** @throws Refusal if the settings are in a file */
export function refuseFile(file: SettingsFileState | null, variable: string): void {
  if (file === null) return;
  const message = `${variable} is set: edit the file ${file.path}.`;
  throw Refusal.of('settings.file', message);
}

/** The result of a creation. @throws Refusal if nothing was created */
export function refuseUncreated(result: 'created' | 'exists' | 'full', what: string, max: number): void {
  if (result === 'created') return;
  const message =
    result === 'exists'
      ? `\`/name\` is already the name of another ${what}`
      : `There are ${max} ${what}s, which is the limit`;
  throw Refusal.of('request.validation', message, { pointer: '/name' });
}

/** @throws Refusal if there is none of this name */
export function entryOf(
  entries: readonly SettingEntry[],
  name: string,
  what: 'pool' | 'vendor',
): SettingEntry {
  const found = entries.find((entry) => entry.json.name === name);
  if (found === undefined) throw notFoundRefusal(what);
  return found;
}

/** The response of a change while the settings are in a file. */
export const IN_FILE = (variable: string) =>
  problem(`\`${variable}\` is set, so the settings are in that file: \`settings.file\`.`);
