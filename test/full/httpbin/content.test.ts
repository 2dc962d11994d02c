import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_HTTPBIN, useStage } from '../../httpbin/stage.ts';

describe('httpbin: content', { skip: NO_HTTPBIN }, () => {
  const stage = useStage();
  const scrape = async (path: string, more: Record<string, unknown> = {}) => {
    const { status, body } = await stage.service.scrape({ url: stage.bin + path, ...more });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const directly = async (path: string) => Buffer.from(await (await fetch(stage.bin + path)).arrayBuffer());

  for (const [path, member] of [
    ['/gzip', 'gzipped'],
    ['/deflate', 'deflated'],
    ['/brotli', 'brotli'],
  ] as const)
    test(`${path} is decompressed`, async () => {
      const body = await scrape(path);
      assert.equal(body.content_encoding, 'utf-8');
      assert.equal(JSON.parse(body.content!)[member], true);
      assert.ok(body.headers['content-encoding'], 'the header stays as the target sent it');
      assert.equal(body.router.outcome, 'ok');
    });

  for (const path of ['/html', '/xml', '/robots.txt', '/deny', '/encoding/utf8', '/links/10/0', '/etag/x'])
    test(`${path}: the text, exactly`, async () => {
      const body = await scrape(path);
      assert.equal(body.status_code, 200);
      assert.equal(body.content_encoding, 'utf-8');
      if (path === '/etag/x') assert.equal(body.headers.etag, 'x');
      else assert.equal(body.content, (await directly(path)).toString('utf8'));
    });

  for (const kind of ['png', 'jpeg', 'webp', 'svg'])
    test(`/image/${kind}: the bytes, exactly`, async () => {
      const path = `/image/${kind}`;
      const body = await scrape(path);
      const text = kind === 'svg';
      assert.equal(body.content_encoding, text ? 'utf-8' : 'base64');
      assert.deepEqual(Buffer.from(body.content!, text ? 'utf8' : 'base64'), await directly(path));
    });

  for (const path of ['/bytes/1000?seed=7', '/stream-bytes/100000?seed=7&chunk_size=1000', '/range/3000'])
    test(`${path}: the bytes, exactly`, async () => {
      const body = await scrape(path);
      const bytes = await directly(path);
      assert.deepEqual(
        Buffer.from(body.content!, body.content_encoding === 'base64' ? 'base64' : 'utf8'),
        bytes,
      );
      assert.ok(bytes.length >= 1000);
    });

  test('content_encoding: base64 gives the bytes of any type', async () => {
    const body = await scrape('/html', { scraper_options: { content_encoding: 'base64' } });
    assert.equal(body.content_encoding, 'base64');
    assert.deepEqual(Buffer.from(body.content!, 'base64'), await directly('/html'));
  });

  test('/range: a part is a 206', async () => {
    const body = await scrape('/range/26', { headers: { Range: 'bytes=2-5' } });
    assert.equal(body.status_code, 206);
    assert.equal(body.headers['content-range'], 'bytes 2-5/26');
    const content = Buffer.from(body.content!, body.content_encoding === 'base64' ? 'base64' : 'utf8');
    assert.equal(content.toString(), 'cdef');
  });

  test('/stream: every line of a chunked answer', async () => {
    const body = await scrape('/stream/20');
    const lines = body.content!.trim().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).id),
      Array.from({ length: 20 }, (_, n) => n),
    );
  });

  test('/cache and /etag with conditions: 304 is an honest answer without a body', async () => {
    for (const [path, headers] of [
      ['/cache', { 'If-None-Match': 'x' }],
      ['/etag/abc', { 'If-None-Match': 'abc' }],
    ] as const) {
      const body = await scrape(path, { headers });
      assert.equal(body.status_code, 304, path);
      assert.equal(body.content, '');
      assert.equal(body.content_encoding, 'utf-8');
      assert.equal(body.router.outcome, 'ok');
      assert.deepEqual(
        body.router.warnings.filter((warning) => warning.code === 'page.empty'),
        [],
      );
    }
    assert.equal((await scrape('/cache/60')).headers['cache-control'], 'public, max-age=60');
  });

  test('max_content_bytes cuts and says so', async () => {
    const body = await scrape('/bytes/5000?seed=3', { scraper_options: { max_content_bytes: 1000 } });
    const whole = await directly('/bytes/5000?seed=3');
    assert.deepEqual(Buffer.from(body.content!, 'base64'), whole.subarray(0, 1000));
    assert.equal(body.errors[0]?.code, 'content.truncated');
    assert.equal(body.errors.length, 1);
    assert.equal(body.router.outcome, 'partial');
    const exact = await scrape('/bytes/1000?seed=3', { scraper_options: { max_content_bytes: 1000 } });
    assert.deepEqual(exact.errors, []);
  });

  test('a charset is told with its source', async () => {
    assert.deepEqual((await scrape('/html')).scraper_data.charset, { name: 'utf-8', source: 'http' });
  });

  test('accept decides about the outcome', async () => {
    const met = await scrape('/get?a=1', { router: { accept: { json_path: '$.args.a' } } });
    assert.equal(met.router.outcome, 'ok');
    const unmet = await scrape('/html', {
      router: { accept: { selector: 'h1.missing', contains: 'Herman' } },
    });
    assert.equal(unmet.router.outcome, 'unaccepted');
    assert.equal(unmet.errors[0]?.code, 'accept.unmet');
    assert.ok(unmet.content!.length > 1000, 'the page is given all the same');
  });
});
