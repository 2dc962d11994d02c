import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseJob } from '../../src/wire/request/parse-job.ts';

const data = process.env.CONFORMANCE_DATA;

interface UrlCase {
  readonly input: string;
  readonly base: string | null;
  readonly failure?: boolean;
  readonly href?: string;
  readonly protocol?: string;
  readonly hostname?: string;
  readonly username?: string;
  readonly password?: string;
}

test('absolute http URLs are read as WHATWG says; all others are refused', {
  skip: data === undefined ? 'CONFORMANCE_DATA is not set' : false,
}, () => {
  const cases = JSON.parse(readFileSync(join(data!, 'url/urltestdata.json'), 'utf8')) as (UrlCase | string)[];
  let taken = 0;
  for (const one of cases) {
    if (typeof one === 'string' || one.base !== null) continue;
    const { job, problems } = parseJob({ url: one.input });
    const web = one.failure !== true && (one.protocol === 'http:' || one.protocol === 'https:');
    assert.equal(job !== null, web, `${one.input}: ${JSON.stringify(problems)}`);
    if (job === null) {
      assert.equal(problems[0]!.pointer, '/url');
      continue;
    }
    taken++;
    const expected = new URL(one.href!);
    expected.username = '';
    expected.password = '';
    assert.equal(job.url, expected.href, one.input);
    assert.equal(job.host, one.hostname, one.input);
    assert.equal(job.headers.length, one.username !== '' || one.password !== '' ? 1 : 0, one.input);
  }
  assert.ok(taken > 50, `only ${taken} cases`);
});
