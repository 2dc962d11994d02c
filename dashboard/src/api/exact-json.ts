/** A number that a double cannot represent, such as a long id or `1e400`, as it was written. */
export class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toString(): string {
    return this.source;
  }

  /** Written unchanged if the browser supports this. Browsers before 2025 may write the nearest double. */
  toJSON(): unknown {
    return rawJSON === undefined ? Number(this.source) : rawJSON(this.source);
  }
}

// ECMAScript 2026, "JSON.parse source text access"; not in the types yet.
const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };
type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** Like `JSON.parse`, but numbers stay exact when a request is parsed, shown and sent again. */
export function parseExact(text: string): unknown {
  const revive: Reviver = (_name, value, context) =>
    typeof value === 'number' && context?.source !== undefined && !isExactDouble(value, context.source)
      ? new ExactNumber(context.source)
      : value;
  return JSON.parse(text, revive);
}

const isExactDouble = (value: number, source: string): boolean =>
  String(value) === source || canonicalNumber(String(value)) === canonicalNumber(source);

/** The same text for all spellings of a number; any other text unchanged. */
function canonicalNumber(text: string): string {
  const [, sign, whole, part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return text;
  const digits = (whole + part).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  return kept === '' ? '0' : `${sign}${kept}e${Number(power) - part.length + digits.length - kept.length}`;
}
