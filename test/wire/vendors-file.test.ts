import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { KINDS } from '../../src/scrapers/vendor/kinds.ts';
import { readVendors, type VendorsFileRules } from '../../src/wire/vendors-file.ts';
import { eventually, type Service, startService } from '../helpers/service.ts';

const SECRET = 'geheim-0123456789';
const RULES: VendorsFileRules = {
  kinds: KINDS,
  hasPrices: true,
  readKey: (path) => ({ 'key.txt': `${SECRET}\n`, 'empty.txt': ' \n' })[path] ?? null,
};
const one = { name: 'a', kind: 'zyte', key: SECRET };

/** All problems as one text, without the secret. */
function problemsOf(file: unknown, rules: Partial<VendorsFileRules> = {}): string {
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  const { problems } = readVendors(text, { ...RULES, ...rules });
  assert.ok(problems !== null, 'it was accepted');
  const message = problems.join('\n');
  assert.ok(!message.includes(SECRET), message);
  return message;
}

const vendors = (...list: readonly object[]) => ({ vendors: list });

describe('the file of vendors', () => {
  test('YAML, with defaults', () => {
    const text = `
vendors:
  - { name: zyte-1, kind: zyte, key: ${SECRET} }
  - name: own
    kind: flaresolverr
    base_url: http://solver:8191/
    auto: true
    concurrency: 4
    price: { per_request: 0.0005 }
    daily_cap: 2.5
    proxy_types: [residential]
`;
    const { settings, problems } = readVendors(text, RULES);
    assert.equal(problems, null);
    assert.deepEqual(settings, [
      {
        name: 'zyte-1',
        kind: 'zyte',
        key: SECRET,
        baseUrl: 'https://api.zyte.com',
        auto: false,
        concurrency: null,
        price: { perRequest: null, perSuccess: null, perCredit: null },
        proxyTypes: ['datacenter', 'residential'],
        dailyCap: null,
        options: {},
      },
      {
        name: 'own',
        kind: 'flaresolverr',
        key: null,
        baseUrl: 'http://solver:8191',
        auto: true,
        concurrency: 4,
        price: { perRequest: 500, perSuccess: null, perCredit: null },
        proxyTypes: ['residential'],
        dailyCap: 2_500_000,
        options: {},
      },
    ]);
  });

  test('a key from a file, without the line break', () => {
    const { settings } = readVendors(
      JSON.stringify(vendors({ name: 'a', kind: 'zyte', key_file: 'key.txt' })),
      RULES,
    );
    assert.equal(settings?.[0]?.key, SECRET);
  });

  test('each problem has its place, and no secret', () => {
    const cases: readonly (readonly [unknown, RegExp])[] = [
      [`vendors: [{ name: a, key: ${SECRET}`, /^line 1 is not YAML/],
      [`k: &k ${SECRET}\nvendors: [{ name: a, kind: zyte, key: *k }]`, /has aliases/],
      [[one], /^must be an object with a list `vendors`/],
      [{ vendors: [], more: 1 }, /^must be an object with a list `vendors`/],
      [vendors(...Array.from({ length: 101 }, (_, n) => ({ ...one, name: `v${n}` }))), /of at most 100$/],
      [vendors({ ...one, kind: 'zite' }), /^`\/vendors\/0\/kind` must be/],
      [vendors({ kind: 'zyte', key: SECRET }), /^`\/vendors\/0\/name` /],
      [vendors({ ...one, name: 'A b' }), /^`\/vendors\/0\/name` must/],
      [vendors({ ...one, api_key: SECRET }), /^`\/vendors\/0\/api_key` /],
      [vendors({ ...one, options: { rendr: true } }), /^`\/vendors\/0\/options\/rendr` /],
      [vendors({ ...one, options: { render: SECRET } }), /^`\/vendors\/0\/options\/render` must be/],
      [vendors({ ...one, key: 7 }), /^`\/vendors\/0\/key` must be/],
      [vendors({ ...one, key: `${SECRET} ` }), /^`\/vendors\/0\/key` must be visible ASCII characters$/],
      [vendors({ ...one, key: undefined }), /^`\/vendors\/0\/key` is needed for this kind/],
      [vendors({ ...one, key_file: 'key.txt' }), /^`\/vendors\/0\/key_file` must not be set together/],
      [
        vendors({ ...one, key: undefined, key_file: 'no.txt' }),
        /^`\/vendors\/0\/key_file` names a file that cannot be read/,
      ],
      [
        vendors({ ...one, key: undefined, key_file: 'empty.txt' }),
        /^`\/vendors\/0\/key_file` names a file that .* is empty$/,
      ],
      [vendors(one, one), /^`\/vendors\/1\/name` is already the name of another vendor$/],
      [
        vendors({ ...one, price: { per_request: 1, per_credit: 1 } }),
        /^`\/vendors\/0\/price` must have one of/,
      ],
      [vendors({ ...one, price: { per_page: 1 } }), /^`\/vendors\/0\/price\/per_page` /],
      [vendors({ ...one, price: { per_request: -1 } }), /^`\/vendors\/0\/price\/per_request` must be/],
      [vendors({ ...one, daily_cap: 1 }), /^`\/vendors\/0\/daily_cap` needs `price`/],
      [vendors({ ...one, concurrency: 0 }), /^`\/vendors\/0\/concurrency` must be/],
      [vendors({ ...one, proxy_types: ['none'] }), /^`\/vendors\/0\/proxy_types\/0` must be/],
      [vendors({ name: 'a', kind: 'flaresolverr' }), /^`\/vendors\/0\/base_url` is needed for this kind$/],
      [vendors({ name: 'a', kind: 'brightdata', key: SECRET }), /^`\/vendors\/0\/options\/zone` /],
      ...[
        'ftp://a.test/',
        'solver:8191',
        `https://u:${SECRET}@a.test/`,
        `https://a.test/?key=${SECRET}`,
        'https://a.test/#x',
      ].map(
        (base_url) =>
          [vendors({ ...one, base_url }), /^`\/vendors\/0\/base_url` must be an http or https URL/] as const,
      ),
    ];
    for (const [file, expected] of cases)
      assert.match(problemsOf(file), expected, JSON.stringify(file).slice(0, 200));
  });

  test('prices need a currency', () => {
    const rules = { hasPrices: false };
    assert.match(
      problemsOf(vendors({ ...one, price: { per_request: 1 } }), rules),
      /^`\/vendors\/0\/price` needs prices \(SLUICE_PRICES, or those of the API\), for their currency$/,
    );
    assert.match(
      problemsOf(vendors({ ...one, daily_cap: 1 }), rules),
      /^`\/vendors\/0\/daily_cap` needs prices/,
    );
  });

  test('all problems are told at once', () => {
    const text = problemsOf(
      vendors({ ...one, kind: 'x' }, { ...one, base_url: 'x' }, { ...one, name: 'b', auto: 1 }),
    );
    assert.match(text, /\/vendors\/0\/kind[\s\S]*\/vendors\/1\/base_url[\s\S]*\/vendors\/2\/auto/);
  });

  test('a template of the kind `http`', () => {
    const own = (options: object) =>
      vendors({ name: 'own', kind: 'http', base_url: 'http://api.test', key: SECRET, options });
    const answer = { body: '$.html' };
    const good = { path: '/?url={url}', answer };
    assert.equal(readVendors(JSON.stringify(own(good)), RULES).problems, null);
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ path: '/?url={url}' }, /^`\/vendors\/0\/options\/answer` /],
      [{ path: '/', answer }, /`\{url\}` is missing/],
      [{ path: '/?url={url}&c={land}', answer }, /`\{land\}` is no placeholder/],
      [{ path: 'fetch?url={url}', answer }, /`path` must begin with/],
      [{ path: '/?url={url}#x', answer }, /`path` must be visible/],
      [{ ...good, headers: { 'a b': '1' } }, /`headers` has a name that is none/],
      [{ ...good, body: { a: 1 } }, /`body` needs the method POST or PUT/],
      [{ ...good, method: 'POST', body: 'x={body}' }, /`\{body\}` must be the whole `body`/],
      [{ ...good, headers: { x: '{headers}' } }, /`\{headers\}` must be the whole value of a member/],
      [{ ...good, method: 'POST', body: { h: 'a {headers}' } }, /`\{headers\}` must be the whole value/],
      [{ ...good, method: 'PATCH' }, /^`\/vendors\/0\/options\/method` must be/],
      [{ ...good, answer: { body: '$.[' } }, /`answer.body`: the JSONPath is wrong/],
      [{ ...good, answer: { body: 'html' } }, /`answer.body`: must be `raw` or a JSONPath/],
      [
        { ...good, answer: { body: 'raw', body_encoding: 'base64' } },
        /`answer.body_encoding`: a raw body has none/,
      ],
      [{ ...good, answer: { ...answer, headers: 'X-Headers' } }, /`answer.headers`: must be a JSONPath/],
      [{ ...good, answer: { ...answer, status: 'X Status' } }, /`answer.status`: must be a JSONPath or/],
      [{ ...good, answer: { ...answer, state: '$.x' } }, /^`\/vendors\/0\/options\/answer\/state` /],
      [{ ...good, failures: { 500: 'down' } }, /^`\/vendors\/0\/options\/failures\/500` must be/],
    ];
    for (const [options, expected] of cases) assert.match(problemsOf(own(options)), expected);
  });
});

describe('a file of vendors that changes while the service runs', () => {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-vendors-file-'));
  const path = join(dir, 'vendors.yaml');
  let service: Service;
  before(async () => {
    writeFileSync(path, JSON.stringify(vendors({ ...one, base_url: 'http://127.0.0.1:1' })));
    service = await startService({ SLUICE_VENDORS: path });
  });
  after(async () => {
    await service?.end();
    rmSync(dir, { recursive: true, force: true });
  });
  const lineWith = (text: string) =>
    eventually(async () => (await service.log()).find(({ msg }) => String(msg).includes(text)));
  /** The code of a scrape by a vendor: `vendor.failed` if there is such a vendor, because nothing listens at port 1. */
  const codeOf = async (name: string) =>
    (await service.scrape({ url: 'http://127.0.0.1:1/', scraper: `vendor:${name}` })).body.code;

  test('an error keeps the old vendors in use, and is told in the log', async () => {
    assert.equal(await codeOf('a'), 'vendor.failed');
    for (const [wrong, place] of [
      [{ kind: 'zite' }, '/vendors/0/kind'],
      [{ options: { rendr: true } }, '/vendors/0/options/rendr'],
      [{ key: undefined, key_file: 'no-such-file' }, '/vendors/0/key_file'],
    ] as const) {
      writeFileSync(path, JSON.stringify(vendors({ ...one, name: 'b', ...wrong })));
      await eventually(async () =>
        (await service.log()).some(
          ({ msg, problems }) =>
            String(msg).startsWith('the changed file of vendors is invalid') &&
            String(problems).includes(place),
        ),
      );
      assert.equal(await codeOf('a'), 'vendor.failed');
      assert.notEqual(await codeOf('b'), 'vendor.failed');
    }
    assert.ok(!(await service.output()).includes(SECRET));
  });

  test('when it is right again, its vendors are in use', async () => {
    writeFileSync(path, JSON.stringify(vendors({ ...one, name: 'b', base_url: 'http://127.0.0.1:1' })));
    await lineWith('the file of vendors was reloaded');
    assert.equal(await codeOf('b'), 'vendor.failed');
    assert.notEqual(await codeOf('a'), 'vendor.failed');
  });

  test('a service does not start with a file that is wrong', async () => {
    const wrong = join(dir, 'wrong.yaml');
    writeFileSync(wrong, JSON.stringify(vendors({ ...one, options: { rendr: 1 } })));
    await assert.rejects(startService({ SLUICE_VENDORS: wrong }), (error: Error) => {
      assert.match(error.message, /SLUICE_VENDORS[\s\S]*\/vendors\/0\/options\/rendr/);
      assert.ok(!error.message.includes(SECRET));
      return true;
    });
  });
});
