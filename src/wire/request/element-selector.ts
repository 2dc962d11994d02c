import { Type } from 'typebox';
import { closed, isObject } from '../../domain/json-schema.ts';
import type { ElementLocator } from '../../domain/page-action.ts';

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

/** Adds the prefix of the selector engine, if there is none: `xpath=` before `/` or `(`, else `css=` (contract §1). */
export function withEngine(selector: string): string {
  if (/^(?:css|xpath|text)=/.test(selector)) return selector;
  return /^[/(]/.test(selector) ? `xpath=${selector}` : `css=${selector}`;
}

/** @param selector matches the schema `ElementSelector` */
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
