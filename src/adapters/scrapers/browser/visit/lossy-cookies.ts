import { isUtf8 } from 'node:buffer';
import { textOfBytes } from '../../http/byte-string.ts';
import { parseSetCookie, type SetCookie } from '../../http/cookies/set-cookie.ts';
import type { KeptCookie } from '../kept-cookies.ts';
import { headerLines } from './header-lines.ts';

const ASCII = /^[\x00-\x7f]*$/;
/** Of a page that sets more of them, the others stay as the browser tells them. */
const MOST = 400;

/**
 * Cookies whose bytes are no UTF-8. Browsers keep them and send them again, and Chromium tells of them without those bytes:
 * here they are told as they were set, each byte a character.
 */
export class LossyCookies {
  readonly #set: SetCookie[] = [];

  /** @param headers `Network.responseReceivedExtraInfo` */
  answered(headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers)) {
      if (name.length !== 10 || name.toLowerCase() !== 'set-cookie' || ASCII.test(value)) continue;
      for (const [, line] of headerLines({ [name]: value }, undefined)) {
        const cookie = isUtf8(Buffer.from(line, 'latin1')) ? null : parseSetCookie(line, 0);
        if (cookie !== null && this.#set.length < MOST) this.#set.push(cookie);
      }
    }
  }

  restored(kept: readonly KeptCookie[]): readonly KeptCookie[] {
    if (this.#set.length === 0) return kept;
    return kept.map((cookie) => {
      const set = this.#set.findLast((one) => isLossy(cookie, one));
      return set === undefined
        ? cookie
        : { ...cookie, name: textOfBytes(set.name), value: textOfBytes(set.value) };
    });
  }
}

function isLossy(kept: KeptCookie, set: SetCookie): boolean {
  if (set.domain !== null && set.domain !== kept.domain.replace(/^\./, '')) return false;
  if (set.path !== null && set.path !== kept.path) return false;
  return isWithin(asciiOf(`${kept.name}=${kept.value}`), asciiOf(`${set.name}=${set.value}`));
}

const asciiOf = (text: string): string => text.replace(/[^\x00-\x7f]/g, '');

/** All of one text comes in another in its order: an unreadable byte may have taken others with it. */
function isWithin(one: string, other: string): boolean {
  let at = 0;
  for (const char of other) if (char === one[at]) at++;
  return at === one.length;
}
