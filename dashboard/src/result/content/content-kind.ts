import { type AnyScrape, mediaTypeOf } from '../scrape.ts';

export type Language = 'html' | 'json' | 'xml' | 'css' | 'javascript';

export interface ContentKind {
  /** The language for coloring; null: plain text, or not a text. */
  readonly language: Language | null;
  readonly binary: boolean;
  readonly image: boolean;
  /** Set for rows of values, such as CSV. Without a delimiter, it depends on the text. */
  readonly delimited: { readonly delimiter?: string } | null;
}

const BY_TYPE: readonly (readonly [pattern: RegExp, language: Language])[] = [
  [/^(text\/html|application\/xhtml\+xml)$/, 'html'],
  [/[/+]json$/, 'json'],
  [/^(text|application)\/xml$|\+xml$/, 'xml'],
  [/^text\/css$/, 'css'],
  [/^(text|application)\/(x-)?(java|ecma)script$/, 'javascript'],
];
/** Image types that browsers support. In an `<img>`, SVG cannot run scripts. */
const IMAGES = /^image\/(png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)$/;

const DELIMITED: Readonly<Record<string, { readonly delimiter?: string }>> = {
  'text/csv': {},
  'application/csv': {},
  'text/tab-separated-values': { delimiter: '\t' },
};

/** The kind of the content by its `Content-Type`; without one, by its first characters. */
export function contentKind(scrape: AnyScrape): ContentKind {
  const type = mediaTypeOf(scrape);
  const binary = scrape.content_encoding === 'base64';
  const image = IMAGES.test(type);
  if (binary) return { language: null, binary, image, delimited: null };
  const language = BY_TYPE.find(([pattern]) => pattern.test(type))?.[1];
  const guessed = type === '' ? guessLanguage(scrape.content ?? '') : null;
  return { language: language ?? guessed, binary, image, delimited: DELIMITED[type] ?? null };
}

function guessLanguage(text: string): Language | null {
  const start = text.slice(0, 1024).trimStart();
  if (/^<(!doctype html|html|head|body)/i.test(start)) return 'html';
  if (start.startsWith('<?xml')) return 'xml';
  return /^[[{]/.test(start) ? 'json' : null;
}
