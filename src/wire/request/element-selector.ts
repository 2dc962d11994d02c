import type { ElementAt } from '../../domain/page-action.ts';
import { isObject } from '../schema/build.ts';

/** Contract §1: CSS, unless it says or shows that it is another kind. */
export function withEngine(selector: string): string {
  if (/^(?:css|xpath|text)=/.test(selector)) return selector;
  return /^[/(]/.test(selector) ? `xpath=${selector}` : `css=${selector}`;
}

/** A selector as text, or taken apart; checked by its schema. */
export function elementAt(given: unknown, pointer: string): ElementAt {
  if (!isObject(given)) {
    const written = String(given);
    return { selector: withEngine(written), nth: null, written, pointer };
  }
  const { type, value, nth } = given as { type: string; value: string; nth?: number };
  const place = nth === undefined ? '' : ` (number ${nth})`;
  return {
    selector: `${type}=${value}`,
    nth: nth ?? null,
    written: `${type === 'css' ? '' : `${type}=`}${value}${place}`,
    pointer: `${pointer}/value`,
  };
}
