import type { Schema } from '../../api/client.ts';
import type { Language } from '../content/content-kind.ts';

export type NetworkEntry = Schema<'CapturedExchange'>;

/** How many bytes of the body are kept; null: none was asked for, or there was none. */
export function bodyBytes({ body, body_encoding }: NetworkEntry): number | null {
  if (body === null) return null;
  if (body_encoding !== 'base64') return new Blob([body]).size;
  const padding = body.endsWith('==') ? 2 : body.endsWith('=') ? 1 : 0;
  return (body.length / 4) * 3 - padding;
}

const LANGUAGES: readonly (readonly [pattern: RegExp, language: Language])[] = [
  [/[/+]json\b/, 'json'],
  [/^text\/html|xhtml\+xml/, 'html'],
  [/[/+]xml\b/, 'xml'],
  [/^text\/css/, 'css'],
  [/(java|ecma)script/, 'javascript'],
];

/** By the type that the target named. */
export function languageOf({ headers }: NetworkEntry): Language | null {
  const type = (headers['content-type'] ?? '').toLowerCase();
  return LANGUAGES.find(([pattern]) => pattern.test(type))?.[1] ?? null;
}
