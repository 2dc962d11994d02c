/** JSON values whose numbers may be longer than a double. */

export type ExactJson =
  | null
  | boolean
  | number
  | ExactNumber
  | string
  | readonly ExactJson[]
  | ExactJsonObject;
export interface ExactJsonObject {
  readonly [name: string]: ExactJson;
}
export type Path = readonly (string | number)[];

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

export const isObject = (value: unknown): value is ExactJsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

/** The JSON pointer of a path (RFC 6901): `['a', 0]` → `/a/0`. */
export const pointerOf = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
