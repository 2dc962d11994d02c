import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { FAILURES, failure } from '../../src/domain/failure.ts';
import { errorsTable } from '../../src/http/endpoints/errors.ts';
import { RECORD_EXAMPLE } from '../../src/http/endpoints/records.ts';
import { scrapersObject } from '../../src/http/endpoints/scrapers.ts';
import { REQUEST_EXAMPLES, SCRAPE_EXAMPLE } from '../../src/http/operations/scrape-examples.ts';
import { apiDocument } from '../../src/http/server/endpoints.ts';
import { problemJson } from '../../src/wire/answer/reply.ts';
import { parseTask } from '../../src/wire/request/parse-task.ts';
import { componentValidator, openApi, responseValidator } from '../helpers/openapi.ts';

const document = apiDocument({ version: '1.2.3', baseUrl: 'https://sluice.test' });

describe('the document', () => {
  test('names every operation once, with the version and the server', () => {
    const operations = Object.values(openApi().paths).flatMap((methods) => Object.values(methods));
    const ids = operations.map((operation) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(document.info.version, '1.2.3');
    assert.deepEqual(document.servers, [{ url: 'https://sluice.test' }]);
    assert.equal(document.openapi, '3.1.0');
  });

  test('every tag of an operation is described and in a group, and no other', () => {
    const used = Object.values(openApi().paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) => operation.tags),
    );
    const listed = document.tags.map(({ name }) => name);
    assert.deepEqual(listed.toSorted(), [...new Set(used)].toSorted());
    assert.deepEqual(document['x-tagGroups'].flatMap(({ tags }) => tags).toSorted(), listed.toSorted());
  });

  test('every reference leads somewhere, and every component is used', () => {
    const names = new Set(Object.keys(document.components.schemas));
    const used = new Set<string>();
    JSON.stringify(document, (key, value) => {
      if (key !== '$ref') return value;
      used.add(String(value).replace('#/components/schemas/', ''));
      return value;
    });
    for (const name of used) assert.ok(names.has(name), `no component ${name}`);
    for (const name of names) assert.ok(used.has(name), `nothing uses ${name}`);
    const wanted = [
      'ScrapeRequest',
      'ScrapeResponse',
      'ScrapeProblem',
      'Problem',
      'ApiKey',
      'ErrorCode',
      'PageAction',
    ];
    for (const name of wanted) assert.ok(names.has(name), name);
  });

  test('the codes are those of the table', () => {
    const { ErrorCode } = document.components.schemas as { ErrorCode: { enum: string[] } };
    assert.deepEqual(ErrorCode.enum, Object.keys(FAILURES));
  });

  test('every status of the table is documented for a scrape, but the ones of other paths', () => {
    const { responses } = openApi().paths['/api/v1/scrape/']!.post!;
    const statuses = new Set(Object.values(FAILURES).map((kind) => kind.status));
    // 501 is of the proxy port.
    const ofOtherPaths = [404, 405, 409, 410, 501];
    for (const status of statuses) {
      if (status === null || ofOtherPaths.includes(status)) continue;
      assert.ok(String(status) in responses, `no ${status}`);
    }
  });

  test('the examples are good', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'doc', ...document });
    const request = ajv.compile({ $ref: 'doc#/components/schemas/ScrapeRequest' });
    for (const example of Object.values(REQUEST_EXAMPLES)) {
      assert.ok(request(example), ajv.errorsText(request.errors));
      assert.ok(parseTask(example).task);
    }
    const action = { url: 'http://a/', page_actions: [{ type: 'click', selector: '#a' }] };
    assert.ok(request(action), ajv.errorsText(request.errors));
    assert.ok(!request({ url: 'http://a/', page_actions: [{ type: 'click', selektor: '#a' }] }));
    assert.deepEqual(responseValidator('createScrape', 200)(SCRAPE_EXAMPLE), []);
    assert.deepEqual(responseValidator('getScrape', 200)(RECORD_EXAMPLE), []);
  });

  test('schemas of answers are closed, so that drift is seen', () => {
    const validate = responseValidator('createScrape', 200);
    assert.notDeepEqual(validate({ ...SCRAPE_EXAMPLE, extra: 1 }), []);
    const { headers: _headers, ...without } = SCRAPE_EXAMPLE;
    assert.notDeepEqual(validate(without), []);
    assert.notDeepEqual(validate({ ...SCRAPE_EXAMPLE, router: { ...SCRAPE_EXAMPLE.router, x: 1 } }), []);
    assert.throws(() => responseValidator('createScrape', 204), TypeError);
    assert.throws(() => responseValidator('nothing', 200), TypeError);
  });
});

test('the list of scrapers', () => {
  const found = {
    type: 'chromium',
    version: '153.0.8010.0',
    ageDays: 12,
    source: 'package',
    headless: true,
    headed: false,
    used: true,
    reason: 'it is a headless-only build',
  } as const;
  const reasonAgainst = (name: string) => (name === 'http' ? null : 'not in this version');
  const body = scrapersObject(reasonAgainst, [found], { sandbox: 'on' }, null);
  assert.deepEqual(responseValidator('listScrapers', 200)(JSON.parse(JSON.stringify(body))), []);
  const told = body.items.map(({ name, available, reason }) => [name, available, reason]);
  assert.deepEqual(told, [
    ['auto', true, null],
    ['http', true, null],
    ['http_impersonate', false, 'not in this version'],
    ['browser', false, 'not in this version'],
    ['browser_stealth', false, 'not in this version'],
  ]);
  const options = body.items[1]!.options as { properties: object };
  assert.ok('http2' in options.properties && !('locale' in options.properties));
  assert.equal(scrapersObject(() => 'x', [], { sandbox: 'off' }, null).items[0]!.available, false);
});

test('a problem that belongs to no operation', () => {
  const text = problemJson({
    errors: [failure('request.method', 'PUT is not allowed here.')],
    requestId: 'r',
    baseUrl: 'https://sluice.test',
  });
  assert.deepEqual(componentValidator('Problem')(JSON.parse(text)), []);
  assert.notDeepEqual(componentValidator('Problem')({ ...JSON.parse(text), errors: [] }), []);
});

test('the table of errors', () => {
  const body = errorsTable();
  assert.deepEqual(responseValidator('listErrors', 200)(body), []);
  assert.equal(body.errors.length, Object.keys(FAILURES).length);
});

test('generated files are up to date', () => {
  for (const name of ['generate-openapi.ts', 'generate-errors.ts']) {
    const script = join(import.meta.dirname, '../../scripts', name);
    const done = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    assert.equal(done.status, 0, done.stderr);
  }
});
