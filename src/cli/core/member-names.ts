import type { OpenMembers } from './command.ts';

/** A JSON Schema, as far as names and values are read. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
}

/** Names of members, those of objects with a dot, to this depth. */
const MAX_DEPTH = 3;

/** The members that a schema declares, such as `scraper` and `router.sort`. */
export function namesOf(schema: object, prefix = '', depth = 1): Awaited<ReturnType<OpenMembers['names']>> {
  const parts = partsOf(schema as Schema);
  return parts.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, member]) => {
      const own = { name: prefix + name, choices: choicesOf(member) };
      return depth === MAX_DEPTH ? own : [own, ...namesOf(member, `${prefix}${name}.`, depth + 1)];
    }),
  );
}

const partsOf = (schema: Schema): readonly Schema[] => [schema, ...(schema.anyOf ?? []).flatMap(partsOf)];

const choicesOf = (schema: Schema): readonly string[] =>
  partsOf(schema)
    .flatMap((part) => part.enum ?? [])
    .filter((value) => typeof value === 'string');
