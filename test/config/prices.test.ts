import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../src/config/config.ts';
import { SCRAPER_NAMES } from '../../src/domain/scrapers.ts';

const read = (text: string) =>
  parseConfig({ SLUICE_PRICES: 'prices.yaml' }, { SLUICE_PRICES: { text, error: null } });

describe('the file of SLUICE_PRICES', () => {
  it('is YAML, in whole millionths of the currency inside', () => {
    const { config } = read(`
currency: EUR
scrapers: { http: 0, browser: 0.0005 }
direct: { price_per_gb: 0.01 }
`);
    assert.deepEqual(config!.prices, {
      currency: 'EUR',
      scrapers: { http: 0, browser: 500 },
      direct: { perRequest: 0, perGb: 10_000 },
    });
  });

  it('is JSON as well, and may price every scraper', () => {
    const scrapers = Object.fromEntries(SCRAPER_NAMES.map((name, i) => [name, (i + 1) / 1e6]));
    const { config } = read(JSON.stringify({ currency: 'credits', scrapers }));
    assert.deepEqual(config!.prices!.scrapers, {
      http: 1,
      http_impersonate: 2,
      browser: 3,
      browser_stealth: 4,
    });
  });

  const bad: [why: string, text: string, said: RegExp][] = [
    ['not YAML', '{', /YAML or JSON/],
    ['aliases', 'currency: &a EUR\nscrapers: { http: *a }', /YAML or JSON/],
    ['a list', '- 1', /the file must contain currency, scrapers, direct/],
    ['an unknown member', 'currency: EUR\nscrapers: {http: 1}\nproxy: 1', /"proxy"/],
    ['an unknown scraper', 'currency: EUR\nscrapers: {htttp: 1}', /"htttp"/],
    ['no currency', 'scrapers: {http: 1}', /`currency`/],
    ['the word for no prices', 'currency: Effort\nscrapers: {http: 1}', /`currency`/],
    ['no scrapers', 'currency: EUR', /`scrapers`/],
    ['a price as text', 'currency: EUR\nscrapers: {http: "1"}', /`scrapers.http`/],
    ['a negative price', 'currency: EUR\nscrapers: {http: -1}', /`scrapers.http`/],
    ['a price too fine', 'currency: EUR\nscrapers: {http: 0.0000001}', /6 decimals/],
    ['infinity', 'currency: EUR\nscrapers: {http: .inf}', /`scrapers.http`/],
    ['null', 'currency: EUR\nscrapers: {http: }', /`scrapers.http`/],
  ];
  for (const [why, text, said] of bad)
    it(`is refused as a whole for ${why}`, () => {
      const { config, problems } = read(text);
      assert.equal(config, null);
      assert.equal(problems!.length, 1);
      assert.equal(problems![0]!.variable, 'SLUICE_PRICES');
      assert.match(problems![0]!.message, said);
    });

  it('tells everything that is wrong at once', () => {
    const { problems } = read('currency: 1\nscrapers: {http: -1, browser: x}\ndirect: {price_per_gb: -2}');
    for (const word of ['currency', 'scrapers.http', 'scrapers.browser', 'direct.price_per_gb'])
      assert.ok(problems![0]!.message.includes(word), word);
  });
});
