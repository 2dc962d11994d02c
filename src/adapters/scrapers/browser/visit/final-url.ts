import type { Answer } from './answer.ts';
import { withoutCredentials } from './without-credentials.ts';

/** Where the document is that is shown. Documents that a page made of itself (`about:blank`, `blob:`) have the address of what made them. */
export function finalUrlOf(shown: string, answer: Answer): string {
  return /^https?:/.test(shown) ? withoutCredentials(shown) : answer.url;
}
