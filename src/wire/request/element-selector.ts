import { Type } from 'typebox';
import { closed, isObject } from '../../domain/json-schema.ts';
import type { ElementLocator } from '../../domain/page-action.ts';

/** Where to look: CSS, `xpath=…` (also a leading `/` or `(`), `text=…`, or the same taken apart. */
export const ElementSelector = Type.Union(
  [
    Type.String({ minLength: 1, maxLength: 2000 }),
    closed({
      type: Type.Enum(['css', 'xpath', 'text']),
      value: Type.String({ minLength: 1, maxLength: 2000 }),
      nth: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    }),
  ],
  { description: 'A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.' },
);

/** Contract §1: CSS, unless it says or shows that it is another kind. */
export function withEngine(selector: string): string {
  if (/^(?:css|xpath|text)=/.test(selector)) return selector;
  return /^[/(]/.test(selector) ? `xpath=${selector}` : `css=${selector}`;
}

/** A selector as text, or taken apart; checked by its schema. */
export function readElement(given: unknown, pointer: string): ElementLocator {
  if (!isObject(given)) {
    const originalText = String(given);
    return { selector: withEngine(originalText), nth: null, originalText, pointer };
  }
  const { type, value, nth } = given as { type: string; value: string; nth?: number };
  const place = nth === undefined ? '' : ` (number ${nth})`;
  return {
    selector: `${type}=${value}`,
    nth: nth ?? null,
    originalText: `${type === 'css' ? '' : `${type}=`}${value}${place}`,
    pointer: `${pointer}/value`,
  };
}
