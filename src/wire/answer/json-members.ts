import type { Static, TSchema } from 'typebox';

/** The type of values to be written as JSON by a schema. Optional members may be `undefined`. */
export type Written<T extends TSchema> = WrittenValue<Static<T>>;

type WrittenValue<T> = T extends readonly (infer Item)[]
  ? readonly WrittenValue<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: WrittenValue<T[Name]> | OptionalValue<T, Name> }
    : T;

type OptionalValue<T, Name extends keyof T> = Record<never, never> extends Pick<T, Name> ? undefined : never;

declare const isJsonText: unique symbol;

/** The type of `JSON_TEXT`. */
interface JsonText {
  readonly [isJsonText]: true;
}

/** The value of a member whose JSON text exists already. */
export const JSON_TEXT = Object.freeze({}) as JsonText;

/** The members of `T`, each as a value or as JSON text. */
type JsonMembers<T> = { readonly [Name in keyof T]: T[Name] | JsonText };

/**
 * Like `JSON.stringify`, but writes `texts` where the members are `JSON_TEXT`.
 * @typeParam T a `Written` type
 * @param texts JSON text of these members, in the order of `members`
 */
export function jsonOf<T extends object>(
  members: JsonMembers<T>,
  texts: { readonly [Name in keyof T]?: string | undefined },
): string {
  const json = JSON.stringify(members);
  let written = '';
  let end = 0;
  for (const name in texts) {
    const text = texts[name];
    if (text === undefined) continue;
    // No string contains this, because quotation marks in strings are escaped.
    const placeholder = `"${name}":{}`;
    const start = json.indexOf(placeholder, end) + placeholder.length - 2;
    written += json.slice(end, start) + text;
    end = start + 2;
  }
  return written + json.slice(end);
}

/** The text between the braces, to be joined with members of other objects. @param object JSON text with at least one member */
export const membersOf = (object: string): string => object.slice(1, -1);
