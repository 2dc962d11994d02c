import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { readPools } from '../../src/wire/pools-file.ts';
import fc from '../helpers/fast-check.ts';

const GATE = 'http://user-{session}-cc-{country}[-city-{city}]:geheim@gate.example:8000';
const problemsOf = (file: unknown) => {
  const { problems } = readPools(typeof file === 'string' ? file : JSON.stringify(file));
  assert.ok(problems !== null, 'it was accepted');
  return problems;
};
const pool = (members: object) => ({ pools: [{ name: 'a', type: 'datacenter', ...members }] });

describe('the file of pools', () => {
  test('YAML and JSON', () => {
    const text = `
pools:
  - name: dc
    type: datacenter
    proxies: ['http://u:geheim@10.0.0.1:3128', { url: 'socks5h://b:1', city: Berlin }]
    countries: [de]
    price_per_gb: 0.5
    concurrency_per_proxy: 10
  - name: res
    type: residential
    template: "${GATE}"
    countries: [US, de]
    price_per_request: 0.001
allow_none: true
`;
    const { settings: pools } = readPools(text);
    assert.equal(pools?.allowNone, true);
    const [dc, res] = pools!.pools;
    assert.deepEqual(
      dc!.proxies.map(({ server, country, city }) => [server.host, server.port, country, city]),
      [
        ['10.0.0.1', 3128, 'DE', null],
        ['b', 1, 'DE', 'Berlin'],
      ],
    );
    assert.deepEqual([dc!.price, dc!.concurrency], [{ perGb: 500_000, perRequest: 0 }, 10]);
    assert.deepEqual([res!.countries, res!.price], [['US', 'DE'], { perGb: 0, perRequest: 1000 }]);
    const filled = (city: string | null) =>
      res!.template!.server({ country: 'DE', region: null, city, session: 'ab1' }).credentials!.read()
        .username;
    assert.equal(filled(null), 'user-ab1-cc-de');
    assert.equal(filled('New York'), 'user-ab1-cc-de-city-new_york');
    assert.doesNotMatch(JSON.stringify(pools) + inspect(pools, { depth: 9, showHidden: true }), /geheim/);
  });

  test('no value of a placeholder changes the server', () => {
    const template = readPools(JSON.stringify(pool({ template: GATE, countries: ['DE'] }))).settings!
      .pools[0]!.template!;
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (city) => {
        const { host, port } = template.server({ country: 'DE', region: null, city, session: 'a' });
        assert.deepEqual([host, port], ['gate.example', 8000]);
      }),
    );
  });

  const rows: readonly (readonly [name: string, file: unknown, message: RegExp])[] = [
    ['not an object', '[]', /list `pools`/],
    ['broken', 'pools: [', /line 1 is not YAML/],
    ['aliases', 'a: &x [1]\npools: *x', /aliases/],
    ['an unknown member', { pools: [], allow_nones: true }, /allow_nones/],
    ['an unknown member of a pool', pool({ proxies: ['http://a'], country: 'DE' }), /country/],
    ['neither', pool({}), /either `proxies` or `template`/],
    ['both', pool({ proxies: ['http://a'], template: 'http://a' }), /either/],
    ['no proxy URL', pool({ proxies: ['ftp://a'] }), /\/pools\/0\/proxies\/0.*begin with/],
    ['twice', pool({ proxies: ['http://a', 'http://a:80'] }), /twice/],
    ['several countries', pool({ proxies: ['http://a'], countries: ['DE', 'US'] }), /needs a `country`/],
    [
      'another country',
      pool({ proxies: [{ url: 'http://a', country: 'FR' }], countries: ['DE'] }),
      /not one of/,
    ],
    ['a placeholder', pool({ template: 'http://{state}@a' }), /supports only/],
    ['a bare city', pool({ template: 'http://{city}@a' }), /brackets/],
    ['no countries', pool({ template: 'http://{country}@a' }), /countries.*is needed/],
    ['a negative price', pool({ proxies: ['http://a'], price_per_gb: -1 }), /price_per_gb/],
  ];
  for (const [name, file, message] of rows)
    test(`refused: ${name}`, () => assert.match(problemsOf(file).join('\n'), message));

  test('all problems are reported, without passwords', () => {
    const file = {
      pools: [
        { name: 'a', type: 'isp', proxies: ['http://u:geheim@a'] },
        { name: 'b', type: 'mobile', proxies: 'http://u:geheim@a' },
        { name: 'c', type: 'mobile', proxies: ['http://u:geheim@a/path', { url: 5 }] },
        { name: 'd', type: 'mobile', template: 'htp://u:geheim@{x}' },
      ],
      allow_none: 'http://u:geheim@a',
    };
    const problems = problemsOf(file);
    for (const index of [0, 1, 2, 3]) assert.match(problems.join('\n'), new RegExp(`/pools/${index}`));
    assert.match(problems.join('\n'), /allow_none/);
    assert.doesNotMatch(problems.join('\n'), /geheim/);
    assert.doesNotMatch(problemsOf('pools: [\n "http://u:geheim@a": }').join('\n'), /geheim/);
  });
});
