/** Money inside is whole millionths of the operator's currency: sums of them are exact. */
export type Micro = number;

/** In the currency, for answers and records: a decimal of at most six places. */
export function inCurrency(micro: Micro): number {
  return micro / 1_000_000;
}
