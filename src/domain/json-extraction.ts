import { Type } from 'typebox';
import { closed, optional } from './json-schema.ts';

/** A JSON Schema of a caller, dialect 2020-12. */
export type CallerSchema = Readonly<Record<string, unknown>>;

/** What the model reads of a page. */
const JSON_SOURCES = ['markdown', 'html', 'text', 'structured'] as const;

/** `scraper_options.json` in the request. */
export const JsonOptionsSchema = closed(
  optional({
    schema: Type.Unsafe<CallerSchema>({
      type: 'object',
      description: 'A JSON Schema (2020-12), at most 32,768 characters: the data to find.',
    }),
    prompt: Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: 'What to find, in words. Needs a model. With a schema, it explains the schema.',
    }),
    from: Type.Enum([...JSON_SOURCES], {
      default: 'markdown',
      description:
        'What the model gets of the page. `structured`: only the structured data and tables of the page, which are then also all that is read without a model.',
    }),
    model: Type.Enum(['auto', 'always', 'never'], {
      default: 'auto',
      description:
        '`auto`: the model of the operator, if there is one, looks for what the page does not say in its data and labels. `always`: it looks for everything; without a model the request is refused.',
    }),
    evidence: Type.Boolean({
      default: false,
      description: 'Each source also has the text of the page as `quote`.',
    }),
  }),
);

/** `scraper_options.json`: which data the caller wants, and who looks for it. One of `schema` and `prompt` is not null. */
export interface JsonOptions {
  readonly schema: CallerSchema | null;
  /** What to look for, in words. Only a model understands it. */
  readonly prompt: string | null;
  readonly from: (typeof JSON_SOURCES)[number];
  /** `auto`: a model looks for what is missing, if there is one. */
  readonly model: 'auto' | 'always' | 'never';
  /** Sources have the text that the value was read from. */
  readonly evidence: boolean;
}

/** Where a value of the page stands. `text` is any text that is shown, and what `meta` and `title` elements say. */
export type ValueOrigin = 'json_ld' | 'microdata' | 'rdfa' | 'og' | 'table' | 'text' | 'model';

export interface ValueSource {
  readonly from: ValueOrigin;
  /** A JSON pointer into `structured`, or into a page that is JSON. */
  readonly path?: string;
  /** CSS. */
  readonly selector?: string;
  /** The text that the value was read from. */
  readonly quote?: string;
}

/** `scraper_data.json`, without the member `model`. */
export interface JsonResult {
  /** Data by the schema. What was not found is left out, or null if the schema requires it and allows null. */
  readonly value: unknown;
  /** Whether `value` matches the schema. */
  readonly valid: boolean;
  /** JSON pointers into `value` of what was not found. */
  readonly missing: readonly string[];
  /** What does not match the schema, apart from what is missing. */
  readonly invalid: readonly { readonly pointer: string; readonly message: string }[];
  /** By JSON pointer into `value`: where each value stands. */
  readonly sources: Readonly<Record<string, ValueSource>>;
}

/** What the model is asked about a page. Plain data: it is sent between threads. */
export interface ModelTask {
  /** What the model reads of the page, at most as long as its context allows. */
  readonly text: string;
  /** What it is to find; null: only the prompt says. */
  readonly schema: CallerSchema | null;
  /** What was found without it. */
  readonly found: JsonResult;
}

/** What a model found, and the text of the page that says so, to be compared with the page. */
export interface ModelFindings {
  readonly value: unknown;
  /** By JSON pointer. */
  readonly quotes: Readonly<Record<string, string>>;
  readonly task: ModelTask;
}

/** The calls of a model for one page. */
export interface ModelUse {
  readonly name: string;
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** Characters of a token: fewer than in most texts, so that estimates are not too low. */
export const TOKEN_CHARACTERS = 3;
export const estimatedTokens = (characters: number): number => Math.ceil(characters / TOKEN_CHARACTERS);

/** Appends to a JSON pointer (RFC 6901). */
export const pointerInto = (pointer: string, name: string | number): string =>
  `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
