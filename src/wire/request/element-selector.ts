import { Type } from 'typebox';
import { closed, isObject } from '../../domain/json-schema.ts';
import type { ElementLocator } from '../../domain/page-action.ts';

/** A selector: CSS, `xpath=…` (also a leading `/` or `(`), `text=…`, or an object of type and value. */
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

/** The selector with the prefix of its engine. It is CSS unless its beginning says otherwise (contract §1). */
export function withEngine(selector: string): string {
  if (/^(?:css|xpath|text)=/.test(selector)) return selector;
  return /^[/(]/.test(selector) ? `xpath=${selector}` : `css=${selector}`;
}

/** @param selector a text, or an object with `type`, `value` and `nth`; it fits its schema */
export function readElement(selector: unknown, pointer: string): ElementLocator {
  if (!isObject(selector)) {
    const originalText = String(selector);
    return { selector: withEngine(originalText), nth: null, originalText, pointer };
  }
  const { type, value, nth } = selector as { type: string; value: string; nth?: number };
  const suffix = nth === undefined ? '' : ` (number ${nth})`;
  return {
    selector: `${type}=${value}`,
    nth: nth ?? null,
    originalText: `${type === 'css' ? '' : `${type}=`}${value}${suffix}`,
    pointer: `${pointer}/value`,
  };
}
