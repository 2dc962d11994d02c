import { type AnyScrape, mediaTypeOf } from '../scrape.ts';

export type Language = 'html' | 'json' | 'xml' | 'css' | 'javascript';

export interface ContentKind {
  /** How to colour it; null: plain text. Null for bytes too. */
  readonly language: Language | null;
  readonly binary: boolean;
  readonly image: boolean;
}

const BY_TYPE: readonly (readonly [pattern: RegExp, language: Language])[] = [
  [/^(text\/html|application\/xhtml\+xml)$/, 'html'],
  [/[/+]json$/, 'json'],
  [/^(text|application)\/xml$|\+xml$/, 'xml'],
  [/^text\/css$/, 'css'],
  [/^(text|application)\/(x-)?(java|ecma)script$/, 'javascript'],
];
/** What browsers show; SVG runs no scripts in an `<img>`. */
const IMAGES = /^image\/(png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)$/;

/** What a content is, by the type that the target named, and by a look when it named none. */
export function contentKind(scrape: AnyScrape): ContentKind {
  const type = mediaTypeOf(scrape);
  const binary = scrape.content_encoding === 'base64';
  const image = IMAGES.test(type);
  if (binary) return { language: null, binary, image };
  const known = BY_TYPE.find(([pattern]) => pattern.test(type))?.[1];
  return { language: known ?? (type === '' ? guess(scrape.content ?? '') : null), binary, image };
}

function guess(text: string): Language | null {
  const begin = text.slice(0, 1024).trimStart();
  if (/^<(!doctype html|html|head|body)/i.test(begin)) return 'html';
  if (begin.startsWith('<?xml')) return 'xml';
  return /^[[{]/.test(begin) ? 'json' : null;
}
