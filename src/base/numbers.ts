/** An amount of money in millionths of the operator's currency. An integer, so that sums are exact. */
export type MicroUnits = number;

/** An amount in the currency itself, as responses and records show it. */
export function microToCurrency(micro: MicroUnits): number {
  return micro / 1_000_000;
}

/** From the ECMAScript proposal "JSON.parse source text access", which the type library does not have yet. */
const json = JSON as unknown as {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/** A number that a double cannot hold, as text; `JSON.stringify` writes that text. */
export function rawNumber(text: string): object {
  return json.rawJSON(text);
}

/** The text of a `rawNumber`; null for anything else. */
export function rawNumberText(value: unknown): string | null {
  return json.isRawJSON(value) ? value.rawJSON : null;
}
