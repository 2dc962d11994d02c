import { ExactNumber } from '../../../src/snippets/json.ts';

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

/**
 * Like `JSON.parse`, but a number that a double cannot represent becomes an `ExactNumber`, so that a request can be parsed,
 * shown and sent again. Browsers before 2025 give the nearest double.
 */
export function parseExact(text: string): unknown {
  const revive: Reviver = (_name, value, context) =>
    typeof value === 'number' && context?.source !== undefined && !isExactDouble(value, context.source)
      ? new ExactNumber(context.source)
      : value;
  return JSON.parse(text, revive);
}

const isExactDouble = (value: number, source: string): boolean =>
  String(value) === source || canonicalNumber(String(value)) === canonicalNumber(source);

/** The same text for all spellings of a number: `1.50` and `15e-1` → `15e-1`; any other text unchanged. */
function canonicalNumber(text: string): string {
  const [, sign, integer, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (integer === undefined) return text;
  const digits = (integer + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const trailingZeros = digits.length - significant.length;
  return `${sign}${significant}e${Number(exponent) - fraction.length + trailingZeros}`;
}
