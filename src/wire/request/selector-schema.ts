import { Type } from 'typebox';
import { closed } from '../schema/build.ts';

/** Where to look: CSS, `xpath=…` (also a leading `/` or `(`), `text=…`, or the same taken apart. */
export const Selector = Type.Union(
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
