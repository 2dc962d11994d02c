import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readPools } from '../../src/wire/pools-file.ts';
import fc from '../helpers/fast-check.ts';

const path = join(import.meta.dirname, '../../docs/proxies.schema.json');
const ajv = new Ajv2020({ strict: 'log', allErrors: true, logger: false });
const fits = ajv.compile(JSON.parse(readFileSync(path, 'utf8')));

const bySchema = (file: unknown): boolean => fits(file);
const byService = (file: unknown): boolean => readPools(JSON.stringify(file)).problems === null;
const pool = (members: object) => ({ pools: [{ name: 'a', type: 'datacenter', ...members }] });
const LIST = { proxies: ['http://a'] };
const GATE = 'http://user-{session}-cc-{country}[-{region}][-city-{city}]:pw@gate.example:8000';

const good: readonly (readonly [string, unknown])[] = [
  ['no pools', { pools: [] }],
  ['allow_none', { pools: [], allow_none: true }],
  ['a list', pool(LIST)],
  ...[
    'http://a:1',
    'https://u:p@a',
    'socks5://[::1]:1080',
    'socks5h://a',
    'HTTP://a',
    'Socks5H://a/',
    'a:3128',
    'u:p@a:3128',
    'a:3128:u:p@/w',
    'socks5://a:1080:u:p',
  ].map((url) => [`the URL ${url}`, pool({ proxies: [url] })] as const),
  ['a password that is encoded', pool({ proxies: ['http://u:a%2Fb%40c@a'] })],
  [
    'entries of both forms',
    pool({ proxies: ['http://a', { url: 'http://b', country: 'de', city: 'Berlin' }] }),
  ],
  ['a place in full', pool({ proxies: [{ url: 'http://b', country: 'DE', region: 'Bayern', city: 'Hof' }] })],
  ['a template', { pools: [{ name: 'a', type: 'residential', template: GATE, countries: ['DE', 'us'] }] }],
  ['a template in capitals', pool({ template: 'http://u-{COUNTRY}:p@gate', countries: ['DE'] })],
  ['prices', pool({ ...LIST, price_per_gb: 4.5, price_per_request: 0 })],
  ['a limit', pool({ ...LIST, concurrency_per_proxy: 1 })],
  ['mobile', { pools: [{ name: 'A.b_c-9', type: 'mobile', proxies: ['http://a'] }] }],
];

const bad: readonly (readonly [string, unknown])[] = [
  ['not an object', []],
  ['an empty object', {}],
  ['pools that are not a list', { pools: {} }],
  ['an unknown member', { pools: [], allow_nones: true }],
  ['allow_none as a text', { pools: [], allow_none: 'true' }],
  ['a pool without a name', { pools: [{ type: 'mobile', ...LIST }] }],
  ['a name with a space', { pools: [{ name: 'a b', type: 'mobile', ...LIST }] }],
  ['a name that is too long', { pools: [{ name: 'a'.repeat(64), type: 'mobile', ...LIST }] }],
  ['a pool without a type', { pools: [{ name: 'a', ...LIST }] }],
  ['another type', { pools: [{ name: 'a', type: 'isp', ...LIST }] }],
  ['an unknown member of a pool', pool({ ...LIST, country: 'DE' })],
  ['neither list nor template', pool({})],
  ['both', pool({ ...LIST, template: GATE, countries: ['DE'] })],
  ['an empty list', pool({ proxies: [] })],
  ['a list that is a string', pool({ proxies: 'http://a' })],
  ['a number in the list', pool({ proxies: [1] })],
  ...['ftp://a', 'a', 'a:b', 'http://', 'http://a/path', 'http://a?b', 'http://a#b', 'socks4://a', ''].map(
    (url) => [`the URL ${url}`, pool({ proxies: [url] })] as const,
  ),
  ['an entry without a URL', pool({ proxies: [{ country: 'DE' }] })],
  ['an unknown member of an entry', pool({ proxies: [{ url: 'http://a', password: 'a' }] })],
  ['a country by its name', pool({ proxies: [{ url: 'http://a', country: 'Germany' }] })],
  ['countries by their names', pool({ ...LIST, countries: ['Germany'] })],
  ['a template that is not a proxy URL', pool({ template: 'gate.example' })],
  ['a template with a path', pool({ template: 'http://u-{session}@gate/path' })],
  ['a price below 0', pool({ ...LIST, price_per_gb: -1 })],
  ['a price as a text', pool({ ...LIST, price_per_request: '1' })],
  ['a limit of 0', pool({ ...LIST, concurrency_per_proxy: 0 })],
  ['half a limit', pool({ ...LIST, concurrency_per_proxy: 1.5 })],
];

/** What a schema cannot say: one member depends on another, or on the content of a string. */
const serviceOnly: readonly (readonly [string, unknown])[] = [
  ['two pools of one name', { pools: [...pool(LIST).pools, ...pool(LIST).pools] }],
  ['a proxy twice', pool({ proxies: ['http://a', 'http://a:80'] })],
  ['several countries, and an entry without one', pool({ ...LIST, countries: ['DE', 'US'] })],
  [
    'a country that is not one of the pool',
    pool({ proxies: [{ url: 'http://a', country: 'FR' }], countries: ['DE'] }),
  ],
  ['an unknown placeholder', pool({ template: 'http://{state}@a' })],
  ['a city that is not in brackets', pool({ template: 'http://{city}@a' })],
  ['an invalid port', pool({ proxies: ['http://a:99999'] })],
];

describe('the published schema of the pools file', () => {
  for (const [name, file] of good)
    test(`accepts, as the service does: ${name}`, () => {
      assert.deepEqual([byService(file), bySchema(file)], [true, true], JSON.stringify(fits.errors));
    });
  for (const [name, file] of bad)
    test(`refuses, as the service does: ${name}`, () => {
      assert.deepEqual([byService(file), bySchema(file)], [false, false]);
    });
  for (const [name, file] of serviceOnly)
    test(`leaves to the service: ${name}`, () => {
      assert.deepEqual([byService(file), bySchema(file)], [false, true], JSON.stringify(fits.errors));
    });

  test('never refuses a file that the service accepts', () => {
    const url = fc.constantFrom(
      'http://a',
      'https://u:p@b:1',
      'socks5h://[::1]',
      'ftp://a',
      'a',
      ' a:3128',
      'a:1:u:p/w',
      'https://a:1:u:p/w',
      'u:p@w@[::1]:1',
      'http://a/b',
    );
    const country = fc.constantFrom('DE', 'us', 'Germany', '');
    const text = fc.constantFrom('Berlin', 'a', '');
    const place = { country, region: text, city: text };
    const entry = fc.oneof(url, fc.record({ url, ...place }, { requiredKeys: ['url'] }));
    const anyPool = fc.record(
      {
        name: fc.constantFrom('a', 'b', 'a b'),
        type: fc.constantFrom('datacenter', 'residential', 'mobile', 'isp'),
        proxies: fc.array(entry, { maxLength: 3 }),
        template: fc.constantFrom(GATE, 'http://gate', 'gate'),
        countries: fc.array(country, { maxLength: 2 }),
        price_per_gb: fc.constantFrom(0, 1.5, -1),
        concurrency_per_proxy: fc.constantFrom(1, 0, 2.5),
      },
      { requiredKeys: ['name', 'type'] },
    );
    const file = fc.record({ pools: fc.array(anyPool, { maxLength: 2 }), allow_none: fc.boolean() });
    let accepted = 0;
    fc.assert(
      fc.property(file, (content) => {
        if (!byService(content)) return;
        accepted++;
        assert.equal(bySchema(content), true, JSON.stringify(fits.errors));
      }),
      { numRuns: 3_000 },
    );
    assert.ok(accepted > 100, `${accepted} were accepted`);
  });
});
