/** What Chromium puts between the letters of the brand that is none, by version. */
const MARKS = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_'] as const;
const GREASE_VERSIONS = ['8', '99', '24'] as const;
/** Where the brands that are none, of Chromium and of the browser stand, by version. */
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/**
 * The value of `sec-ch-ua`. Chromium shuffles its brands and makes one of them up, by the number of the version alone
 * (user_agent_utils of Chromium; User-Agent Client Hints §6.2 asks for it).
 * @param brand of the browser beside Chromium's own
 */
export function brandList(brand: string, version: number): string {
  const made = `Not${MARKS[version % MARKS.length]}A${MARKS[(version + 1) % MARKS.length]}Brand`;
  const list = new Array<string>(3);
  const [none, engine, own] = ORDERS[version % ORDERS.length]!;
  list[none] = `"${made}";v="${GREASE_VERSIONS[version % GREASE_VERSIONS.length]}"`;
  list[engine] = `"Chromium";v="${version}"`;
  list[own] = `"${brand}";v="${version}"`;
  return list.join(', ');
}
