import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildDashboard } from '../../dashboard/build-dashboard.ts';
import { runChild } from '../../helpers/child.ts';
import { ROOT } from '../../helpers/repository.ts';
import { eventually, type Service, startService, useOwnService } from '../../helpers/service.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  readonly text: string;
}

/** Sends the path as it is: `fetch` would tidy it up, and decompress what comes. */
function get(
  base: string,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { hostname, port } = new URL(base);
  const call = request({ hostname, port, path, method, headers, agent: false }, async (response) => {
    const bytes = Buffer.concat(await response.toArray());
    resolve({ status: response.statusCode!, headers: response.headers, bytes, text: bytes.toString('utf8') });
  });
  call.on('error', reject).end();
  return promise;
}

const problemOf = ({ headers, text }: Answer) => {
  assert.match(headers['content-type'] ?? '', /^application\/problem\+json/);
  return JSON.parse(text) as { code: string };
};

describe('the files of the dashboard', () => {
  before(buildDashboard);
  const service = useOwnService({
    SLUICE_DASHBOARD: 'true',
    SLUICE_BASE_URL: 'http://sluice.example/below/it',
  });
  const page = () =>
    eventually(async () => {
      const answer = await get(service.base, '/');
      return answer.status === 200 ? answer : null;
    });

  test('every page is the same, with a policy that allows nothing from elsewhere and no script in it', async () => {
    await page();
    for (const path of ['/', '/sign-in', '/set-up', '/history', '/history/an-id', '/keys/', '/users?a=1']) {
      const { status, headers, text } = await get(service.base, path);
      assert.equal(status, 200, path);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      const policy = headers['content-security-policy'] as string;
      const nonce = /'nonce-([A-Za-z0-9+/=]{22,})'/.exec(policy)?.[1];
      assert.equal(
        policy,
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      );
      assert.ok(text.includes(`nonce="${nonce}"`));
      assert.doesNotMatch(text, /__[A-Z_]+__|<script(?![^>]*\bsrc=)|https?:\/\//);
      assert.match(text, /<meta name="base-path" content="\/below\/it" \/>/);
    }
    assert.notEqual((await page()).text, (await page()).text, 'each answer has a nonce of its own');
  });

  test('the files of the page are served with each compression, and cached for ever', async () => {
    const { text } = await page();
    const names = [...text.matchAll(/"\/below\/it(\/assets\/[^"]+)"/g)].map((match) => match[1]!);
    assert.ok(
      names.some((name) => name.endsWith('.js')) && names.some((name) => name.endsWith('.css')),
      text,
    );
    for (const name of names) {
      const plain = await get(service.base, name);
      assert.equal(plain.status, 200, name);
      assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(plain.headers['content-encoding'], undefined);
      // Of less than this, compressed is not always less.
      if (plain.bytes.length < 1_000) continue;
      const br = await get(service.base, name, { 'accept-encoding': 'gzip, deflate, br' });
      const gzip = await get(service.base, name, { 'accept-encoding': 'gzip;q=1, br;q=0.5, *;q=0' });
      assert.deepEqual([br.headers['content-encoding'], gzip.headers['content-encoding']], ['br', 'gzip']);
      assert.ok(
        brotliDecompressSync(br.bytes).equals(plain.bytes) && gunzipSync(gzip.bytes).equals(plain.bytes),
      );
      assert.equal(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size, 3);
      assert.equal(br.headers.vary, 'accept-encoding');
      const known = await get(service.base, name, {
        'accept-encoding': 'br',
        'if-none-match': `W/"x", W/${br.headers.etag}`,
      });
      assert.deepEqual([known.status, known.bytes.length], [304, 0]);
      const head = await get(service.base, name, {}, 'HEAD');
      assert.deepEqual(
        [head.status, head.bytes.length, head.headers['content-length']],
        [200, 0, String(plain.bytes.length)],
      );
    }
  });

  test('no other file, method or path is served', async () => {
    await page();
    for (const path of [
      '/assets/nothing.js',
      '/assets/../index.html',
      '/assets/..%2findex.html',
      '/assets/%2e%2e%2findex.html',
      '/assets/..%5cindex.html',
      '/assets/%00',
      '/assets/constructor',
      '/assets/built-from',
      '/assets/',
      '/assets/a/b.js',
      '/index.html',
      '/history/a/b',
      '/nothing',
    ]) {
      const answer = await get(service.base, path);
      assert.equal(answer.status, 404, path);
      assert.equal(problemOf(answer).code, 'request.not_found');
    }
    const posted = await get(service.base, '/keys', {}, 'POST');
    assert.equal(posted.status, 405);
    assert.equal(posted.headers.allow, 'GET, HEAD');
    assert.equal(problemOf(posted).code, 'request.method');
    assert.equal((await get(service.base, '/', {}, 'HEAD')).status, 200);
  });
});

test('without a dashboard there is only the API', async () => {
  await using service = await startService({ SLUICE_DASHBOARD: 'false' });
  assert.equal((await get(service.base, '/')).status, 404);
  assert.equal((await get(service.base, '/healthz')).status, 200);
});

describe('a clone whose sources have changed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-clone-'));
  before(() => {
    for (const name of ['bin', 'src', 'scripts', 'dashboard', 'package.json', 'package-lock.json'])
      cpSync(join(ROOT, name), join(folder, name), {
        recursive: true,
        filter: (file) => !/^dashboard\/(?:dist|node_modules)/.test(file.slice(ROOT.length + 1)),
      });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const start = (): Promise<Service> =>
    startService({ SLUICE_DASHBOARD: 'true' }, { program: join(folder, 'bin/sluice') });
  const settled = (service: Service) =>
    eventually(async () => {
      const answer = await get(service.base, '/');
      return answer.text.includes('being built') ? null : answer;
    }, 150_000);

  test('the service says that the dashboard is being built, serves it, and does not build it again', async () => {
    await using service = await start();
    const first = await get(service.base, '/keys');
    assert.equal(first.status, 503);
    assert.match(first.text, /http-equiv="refresh".*being built/s);
    const policy = first.headers['content-security-policy'] as string;
    assert.match(policy, /^default-src 'none'/);
    // A refresh does not reload an address with a fragment, such as that of a set-up link: a script does.
    const nonce = /<script nonce="([^"]+)">[^<]*\(\) => location\.reload\(\)/.exec(first.text)?.[1];
    assert.ok(nonce !== undefined && policy.includes(`script-src 'self' 'nonce-${nonce}'`), policy);
    assert.equal((await get(service.base, '/assets/index.js')).status, 404);
    assert.equal((await settled(service)).status, 200);
    await service.stop();
    await using again = await start();
    assert.equal((await settled(again)).status, 200);
    const builds = [await service.log(), await again.log()].map((lines) =>
      lines.filter(({ msg }) => msg === 'the dashboard is built'),
    );
    assert.deepEqual(
      builds.map(({ length }) => length),
      [1, 0],
    );
  });

  test('a service that stops during a build leaves no incomplete build', async () => {
    appendFileSync(join(folder, 'dashboard/src/main.tsx'), '\n// Another version.\n');
    await using service = await start();
    assert.equal((await get(service.base, '/')).status, 503);
    await service.stop();
    await using again = await start();
    assert.equal((await settled(again)).status, 200);
  });

  test('of two builds at the same time the first one is kept, because it may be in use', async () => {
    // A small one, which is built fast.
    writeFileSync(join(folder, 'dashboard/src/main.tsx'), "document.body.append('One more.');\n");
    const build = () =>
      runChild(process.execPath, [join(folder, 'scripts/build-dashboard.ts')], { cwd: folder });
    const place = () => statSync(join(folder, 'dashboard/dist')).ino;
    const builds = [build(), build()];
    await Promise.race(builds);
    const first = place();
    for (const { code, stderr } of await Promise.all(builds)) assert.equal(code, 0, stderr);
    assert.equal(place(), first);
    assert.deepEqual(
      readdirSync(join(folder, 'dashboard')).filter((name) => name.startsWith('dist')),
      ['dist'],
    );
  });

  test('says why it cannot be built, without a path of the machine; the API goes on', async () => {
    writeFileSync(join(folder, 'dashboard/src/main.tsx'), "import '../../end-to-end/no-such-<file>.ts';\n");
    await using service = await start();
    const { status, text } = await settled(service);
    assert.equal(status, 503);
    assert.match(text, /could not be built/);
    assert.match(text, /no-such-&lt;file&gt;/);
    assert.ok(!text.includes(folder), text);
    assert.equal((await service.api('GET', '/api/v1/keys/')).status, 200);
  });
});
