/** Why a way was left out, in words that follow its name; what is not known here is told as it came. */
export function exclusionWords(code: string): string {
  const unsupported = /^unsupported_option (\/.+)$/.exec(code);
  if (unsupported !== null) return `cannot honour ${unsupported[1]}`;
  return WORDS[code] ?? code;
}

const WORDS: Readonly<Record<string, string>> = {
  unavailable: 'is not installed here',
  only: 'is not among those of router.only',
  ignore: 'is named in router.ignore',
  order: 'is not in router.order, and fallbacks are off',
  no_price: 'has no price, and there is a ceiling on the cost',
  no_bound: 'is paid by the byte, which no ceiling on the cost can hold',
  max_cost: 'costs more than router.max_cost allows',
  'route.cost_cap': 'costs more than router.max_cost allows',
  deadline: 'takes longer than there is time',
  'scraper.unavailable': 'is not installed here',
  'scraper.unsupported_option': 'cannot do all that the request asks for',
  'browser.unavailable': 'has no browser here that fits the request',
  'proxy.pool_unconfigured': 'has no pool of this type here',
  'proxy.country_unavailable': 'has no exit in that country',
  'proxy.forbidden': 'goes out in a way that the operator does not allow',
};
