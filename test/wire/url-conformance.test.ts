import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseTask } from '../../src/wire/request/parse-task.ts';

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

test('absolute http URLs are parsed as the WHATWG URL standard says; all others are refused', {
  skip: data === undefined ? 'CONFORMANCE_DATA is not set' : false,
}, () => {
  const cases = JSON.parse(readFileSync(join(data!, 'url/urltestdata.json'), 'utf8')) as (UrlCase | string)[];
  let accepted = 0;
  for (const urlCase of cases) {
    if (typeof urlCase === 'string' || urlCase.base !== null) continue;
    const { task, problems } = parseTask({ url: urlCase.input });
    const isHttp =
      urlCase.failure !== true && (urlCase.protocol === 'http:' || urlCase.protocol === 'https:');
    assert.equal(task !== null, isHttp, `${urlCase.input}: ${JSON.stringify(problems)}`);
    if (task === null) {
      assert.equal(problems[0]!.pointer, '/url');
      continue;
    }
    accepted++;
    const expected = new URL(urlCase.href!);
    expected.username = '';
    expected.password = '';
    assert.equal(task.url, expected.href, urlCase.input);
    assert.equal(task.host, urlCase.hostname, urlCase.input);
    assert.equal(
      task.headers.length,
      urlCase.username !== '' || urlCase.password !== '' ? 1 : 0,
      urlCase.input,
    );
  }
  assert.ok(accepted > 50, `only ${accepted} cases`);
});
