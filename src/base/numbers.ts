/** Money inside is whole millionths of the operator's currency: sums of them are exact. */
export type MicroUnits = number;

/** In the currency, for answers and records: a decimal of at most six places. */
export function inCurrency(micro: MicroUnits): number {
  return micro / 1_000_000;
}

/** ECMAScript's JSON.parse source text access, which the type library does not know yet. */
const json = JSON as unknown as {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/** A number that no double holds, as it is written; `JSON.stringify` writes it so again. */
export function rawNumber(text: string): object {
  return json.rawJSON(text);
}

/** The text of a `rawNumber`; null for anything else. */
export function rawNumberText(value: unknown): string | null {
  return json.isRawJSON(value) ? value.rawJSON : null;
}
