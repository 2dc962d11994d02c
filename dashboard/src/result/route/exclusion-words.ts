/** Why a way was left out, in words that follow its name; what is not known here is told as it came. */
export function exclusionWords(code: string): string {
  const unsupported = /^unsupported_option (\/.+)$/.exec(code);
  if (unsupported !== null) return `does not support ${unsupported[1]}`;
  return WORDS[code] ?? code;
}

const WORDS: Readonly<Record<string, string>> = {
  unavailable: 'is not installed here',
  auto_identity: 'impersonates a browser, which the operator does not want of auto',
  only: 'is not in router.only',
  ignore: 'is in router.ignore',
  order: 'is not in router.order, and fallbacks are off',
  no_price: 'has no price, and the cost is limited',
  max_cost: 'costs more than router.max_cost allows',
  'route.cost_cap': 'costs more than router.max_cost allows',
  deadline: 'takes longer than the time left',
  'scraper.unavailable': 'is not installed here',
  'scraper.unsupported_option': 'does not support all options of the request',
  'browser.unavailable': 'has no browser here that fits the request',
  'proxy.pool_unconfigured': 'has no pool of this type here',
  'proxy.country_unavailable': 'has no proxy in that country',
  'proxy.forbidden': 'is not allowed by the operator',
};
