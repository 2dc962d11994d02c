import type { Static, TSchema } from 'typebox';

/** What is written for a schema. An optional member may be `undefined`. */
export type Written<T extends TSchema> = WrittenValue<Static<T>>;

type WrittenValue<T> = T extends readonly (infer Item)[]
  ? readonly WrittenValue<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: WrittenValue<T[Name]> | OptionalValue<T, Name> }
    : T;

type OptionalValue<T, Name extends keyof T> = Record<never, never> extends Pick<T, Name> ? undefined : never;

/** A value that is JSON text already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The members of an object, any of them as JSON text. One that is missing, or that `T` does not have, is a type error. */
export type JsonMembers<T> = { readonly [Name in keyof T]: T[Name] | JsonText };

/** As `JSON.stringify`, but for members that are JSON text already. @typeParam T what is written for a schema */
export function jsonOf<T extends object>(members: JsonMembers<T>): string {
  let text = '';
  for (const name in members) {
    const value: unknown = members[name];
    if (value === undefined) continue;
    text += `${text === '' ? '{' : ','}"${name}":${value instanceof JsonText ? value.text : JSON.stringify(value)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** Between the braces: what joins with the members of another object. @param object JSON text; it is not empty */
export const membersOf = (object: string): string => object.slice(1, -1);
