import { extractContentType } from '../../../../content/content-type.ts';
import type { HeaderList } from '../../../../domain/fetched.ts';
import { fieldOf } from './header-lines.ts';

const SHOWN = new Set(['text/html', 'application/xhtml+xml']);
const NO_BODY = new Set([204, 205, 304]);

/**
 * What becomes of an answer: `document` is shown and read when it has settled; `bytes` are delivered as they are;
 * `unknown` says nothing of its type.
 */
export function kindOf(status: number, headers: HeaderList): 'document' | 'bytes' | 'unknown' {
  if (NO_BODY.has(status) || fieldOf(headers, 'content-length') === '0') return 'bytes';
  if (/^\s*attachment/i.test(fieldOf(headers, 'content-disposition') ?? '')) return 'bytes';
  const type = extractContentType(headers.filter(([name]) => name === 'content-type').map(([, v]) => v));
  if (type === null || type.essence.endsWith('unknown')) return 'unknown';
  return SHOWN.has(type.essence) ? 'document' : 'bytes';
}
