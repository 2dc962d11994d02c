import type { Static, TSchema } from 'typebox';

/** The type of values to be written as JSON by a schema. Optional members may be `undefined`. */
export type Written<T extends TSchema> = WrittenValue<Static<T>>;

type WrittenValue<T> = T extends readonly (infer Item)[]
  ? readonly WrittenValue<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: WrittenValue<T[Name]> | OptionalValue<T, Name> }
    : T;

type OptionalValue<T, Name extends keyof T> = Record<never, never> extends Pick<T, Name> ? undefined : never;

/** A value that is already JSON text. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The members of `T`, each as a value or as JSON text. */
export type JsonMembers<T> = { readonly [Name in keyof T]: T[Name] | JsonText };

/** Like `JSON.stringify`, but inserts `JsonText` members as they are. @typeParam T a `Written` type */
export function jsonOf<T extends object>(members: JsonMembers<T>): string {
  let text = '';
  for (const name in members) {
    const value: unknown = members[name];
    if (value === undefined) continue;
    text += `${text === '' ? '{' : ','}"${name}":${value instanceof JsonText ? value.text : JSON.stringify(value)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** The text between the braces, to be joined with members of other objects. @param object JSON text with at least one member */
export const membersOf = (object: string): string => object.slice(1, -1);
