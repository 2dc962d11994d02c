/** What a parser says of one text: the value, or what is wrong with it and what is allowed. */
export type Parsed<T> =
  | { readonly value: T; readonly wrong: null }
  | { readonly value: null; readonly wrong: string };

export const value = <T>(of: T): Parsed<T> => ({ value: of, wrong: null });
export const wrong = (message: string): { readonly value: null; readonly wrong: string } => ({
  value: null,
  wrong: message,
});

/** One variable that the operator can set. The table of them is `variables.ts`. */
export interface Variable<T> {
  readonly name: `SLUICE_${string}`;
  /** When it is not set. */
  readonly fallback: T;
  /** The fallback in words, for the documentation; left out where the text of `fallback` says it. */
  readonly fallbackText?: string;
  /** Markdown, one or two sentences. */
  readonly doc: string;
  /** Its value never stands in a message; `<name>_FILE` may name a file that holds it. */
  readonly secret?: true;
  /** `secret`, but without `<name>_FILE`. */
  readonly noFile?: true;
  /** The value names a file; `parse` gets its content. */
  readonly readsFile?: true;
  /** Of a trimmed, non-empty text. Never throws. */
  parse(text: string): Parsed<T>;
}

export const variable = <T>(of: Variable<T>): Variable<T> => of;
