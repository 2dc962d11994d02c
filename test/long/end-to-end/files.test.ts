import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { createAuthority } from '../../helpers/certificates.ts';
import { startService, useOwnService } from '../../helpers/service.ts';
import type { FilesPart, ScrapeAnswer } from '../../helpers/wire-types.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const MIB = 2 ** 20;
/** A page ends with its actions; a download counts only if the browser has begun it by then, also on a busy machine. */
const BEGUN = { wait: 2_000 };
/** Of some 50 MB that the browser has already. */
const LARGE_BEGUN = { wait: 8_000 };
const saveLarge = (bytes: number) => ({
  type: 'evaluate',
  script: `saveLarge('large.bin', ${bytes})`,
  timeout_ms: 45_000,
});

const BINARY = { 'content-type': 'application/octet-stream' };
const filesOf = (body: ScrapeAnswer): FilesPart => body.scraper_data as FilesPart;
const downloadsOf = (body: ScrapeAnswer) => filesOf(body).downloads ?? [];
const warnedOf = (body: ScrapeAnswer) =>
  body.router.warnings
    .filter(({ code }) => code === 'page.download')
    .map(({ details }) => [details!.url, details!.reason]);
const withKey = (key: string) => ({ headers: { authorization: `Api-Key ${key}` } });
const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

/** A file of `size` bytes; its length is not told. */
function stream(response: ServerResponse, size: number): void {
  response.writeHead(200, { 'content-disposition': 'attachment; filename=large.bin' });
  const piece = Buffer.alloc(MIB, 'x');
  let left = size;
  const write = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length;
      if (!response.write(piece)) return void response.once('drain', write);
    }
    response.end();
  };
  write();
}

describe('files', { skip }, () => {
  const service = useOwnService();
  let target: Target;
  before(async () => {
    target = await startTarget({
      '/': html(`<p>the list</p><p id=out></p>
        <a id=slow href=/slow>x</a><a id=stalls href=/stalls>x</a><a id=post-link href=/file?1>x</a>
        <a id=named download="named.txt" href=/plain>x</a><a id=led download href=/led>x</a>
        <a id=declared href=/declared>x</a><a id=endless href=/endless>x</a>
        <form method=post action=/post><input name=q value="a b"><button id=form>x</button></form>
        <iframe srcdoc="<a id=framed href='/file?framed'>x</a> <a id=inside href='http://10.0.0.1/secret'>x</a>
          <a id=away href='/away'>x</a>"></iframe>
        <script>
        const save = (name, size, blob = new Blob([new Uint8Array(size)])) => {
          const a = document.createElement('a');
          a.href = URL.createObjectURL(blob);
          a.download = name;
          a.click();
          URL.revokeObjectURL(a.href);
        };
        const saveLarge = async (name, size) => {
          const blob = new Blob([new Uint8Array(size)]);
          // From then on, the process of the browser has its bytes.
          await blob.slice(-1).arrayBuffer();
          save(name, size, blob);
        };
        </script>`),
      '/slow': (_, response) =>
        void setTimeout(
          () =>
            response.writeHead(200, { 'content-disposition': 'attachment; filename=slow.txt' }).end('slow'),
          1_500,
        ),
      '/stalls': (_, response) =>
        void response
          .writeHead(200, { ...BINARY, 'content-disposition': 'attachment' })
          .write('the first part'.repeat(200)),
      '/plain': (_, response) =>
        void setTimeout(
          () => response.writeHead(200, { 'content-type': 'Text/Plain; charset=x' }).end('plain'),
          700,
        ),
      '/led': (_, response) => void response.writeHead(302, { location: '/plain' }).end(),
      '/away': (_, response) =>
        void response.writeHead(302, { location: `http://localhost:${new URL(target.url).port}/file` }).end(),
      '/declared': (_, response) =>
        void response
          .writeHead(200, {
            ...BINARY,
            ...{ 'content-disposition': 'attachment', 'content-length': String(51 * MIB) },
          })
          .write('x'.repeat(2_000)),
      '/endless': (_, response) => stream(response, 500 * MIB),
      '/file': html('a file', 200, { 'content-disposition': 'attachment; filename=f.html' }),
      '/post': (request, response) => {
        let body = '';
        request.setEncoding('utf8').on('data', (piece: string) => {
          body += piece;
        });
        request.on('end', () =>
          response.writeHead(200, { 'content-disposition': 'attachment; filename=p.txt' }).end(body),
        );
      },
      '/data': (_, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'),
      '/latin': (_, response) =>
        void response
          .writeHead(200, {
            'content-type': 'text/csv; charset=iso-8859-1',
            'content-disposition': 'attachment',
          })
          .end(Buffer.from('ä;b\n'.repeat(100_000), 'latin1')),
      '/broken': (_, response) => {
        response.writeHead(200, { 'content-disposition': 'attachment', 'content-length': '100' });
        response.write('a part', () => response.destroy());
      },
      '/missing': html('gone', 404, { 'content-disposition': 'attachment' }),
      '/print': html(
        `<!doctype html><style>@media print { .screen { display: none } } @media screen { .print { display: none } }</style>
        <div class=screen style="height: 5000px">for screens</div><div class=print>for paper</div>`,
      ),
      '/hangs': html('<p>text</p><script>onbeforeprint = () => { for (;;); }</script>'),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  const act = async (page_actions: readonly object[], more: object = {}) => {
    const { status, body } = await service.scrape({ url: `${target.url}/`, page_actions, ...more });
    assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
    assert.match(body.content!, /the list/);
    return body;
  };

  test('one that comes late is waited for; the page is as it was', async () => {
    for (const [id, name, type] of [
      ['slow', 'slow.txt', 'text/plain'],
      ['named', 'named.txt', 'text/plain'],
      ['led', 'plain.txt', 'text/plain'],
    ] as const) {
      const body = await act([{ click: `#${id}` }]);
      assert.deepEqual(
        downloadsOf(body).map((file) => [file.name, file.type]),
        [[name, type]],
        id,
      );
      assert.deepEqual([body.errors, warnedOf(body)], [[], []]);
    }
  });

  test('a form may lead to one, and is sent once', async () => {
    const body = await act([{ click: '#form' }]);
    const [file] = downloadsOf(body);
    assert.equal((await bytesAt(file!.url!)).toString(), 'q=a+b');
    assert.equal(target.asked.filter((line) => line === 'POST /post').length, 1);
  });

  test('over https too, where the gateway cannot read', async (t) => {
    using authority = createAuthority();
    const secure = createServer(authority.issue({ names: 'IP:127.0.0.1' }), (request, response) => {
      if (request.url === '/') html('<p>the list</p><a id=get href=/file>x</a>')(request, response);
      else html('over TLS', 200, { 'content-disposition': 'attachment; filename=s.html' })(request, response);
    }).listen(0, '127.0.0.1');
    t.after(() => void secure.close().closeAllConnections());
    await once(secure, 'listening');
    const url = `https://127.0.0.1:${(secure.address() as AddressInfo).port}/`;
    const scraper_options = { verify_tls: false };
    const { body } = await service.scrape({ url, scraper_options, page_actions: [{ click: '#get' }] });
    const [file] = downloadsOf(body);
    assert.deepEqual([file!.name, (await bytesAt(file!.url!)).toString()], ['s.html', 'over TLS']);
    const { body: main } = await service.scrape({ url: `${url}file`, scraper: 'browser', scraper_options });
    assert.deepEqual(
      downloadsOf(main).map(({ name, bytes }) => [name, bytes]),
      [['s.html', 8]],
    );
  });

  test('several in one scrape have numbers in their order, and go with what actions do afterwards', async () => {
    const body = await act([
      { click: '#post-link' },
      BEGUN,
      { evaluate: `save('Zürich 2026.csv', 5); out.textContent = 'saved'` },
    ]);
    const downloads = downloadsOf(body);
    assert.deepEqual(
      downloads.map(({ name, bytes, url }) => [name, bytes, new URL(url!).pathname.split('/').at(-2)]),
      [
        ['f.html', 6, '1'],
        ['Zürich 2026.csv', 5, '2'],
      ],
    );
    assert.match(body.content!, /saved/);
    assert.match(downloads[1]!.from, /^blob:/);
  });

  test('`goto` to a file keeps the page', async () => {
    const body = await act([{ goto: `${target.url}/file` }]);
    assert.deepEqual(
      downloadsOf(body).map(({ name }) => name),
      ['f.html'],
    );
  });

  test('in a frame too', async () => {
    const body = await act([{ type: 'click', selector: '#framed', frame: 'iframe' }]);
    assert.deepEqual(
      downloadsOf(body).map(({ name }) => name),
      ['f.html'],
    );
  });

  test('what is not a public address is not fetched, and told', async () => {
    const body = await act([{ type: 'click', selector: '#inside', frame: 'iframe' }, BEGUN]);
    assert.deepEqual(downloadsOf(body), []);
    assert.ok(body.router.warnings.some(({ code }) => code === 'egress.blocked'));
  });

  test('a key for certain domains gets no files of others', async () => {
    const { body: made } = await service.api<{ key: string }>('POST', '/api/v1/keys/', {
      body: { name: 'one domain', domains: ['127.0.0.1'] },
    });
    const page = {
      url: `${target.url}/`,
      page_actions: [{ type: 'click', selector: '#away', frame: 'iframe' }, BEGUN],
    };
    const { body } = await service.scrape(page, { key: made.key });
    assert.deepEqual(downloadsOf(body), []);
    assert.deepEqual(downloadsOf((await service.scrape(page)).body).length, 1);
  });

  test('50 MiB each: more is given up at once, also if the length is not told', async () => {
    for (const id of ['declared', 'endless']) {
      const body = await act([{ click: `#${id}` }, BEGUN]);
      assert.deepEqual(downloadsOf(body), []);
      assert.deepEqual(warnedOf(body), [[`${target.url}/${id}`, 'it is larger than 50 MiB']]);
      assert.deepEqual([body.router.outcome, body.errors], ['ok', []]);
    }
  });

  test('what never ends is given up shortly before the deadline', async () => {
    const began = performance.now();
    const body = await act([{ click: '#stalls' }], { timeout_ms: 6_000 });
    assert.ok(performance.now() - began < 20_000);
    assert.deepEqual([downloadsOf(body), body.errors], [[], []]);
    assert.deepEqual(warnedOf(body), [[`${target.url}/stalls`, 'it was not received in time']]);
  });

  test('at most 20', async () => {
    const body = await act([
      {
        evaluate:
          'let n = 0; const timer = setInterval(() => ++n > 23 ? clearInterval(timer) : save(n + ".bin", n), 120)',
      },
      { wait: 4_000 },
    ]);
    assert.equal(downloadsOf(body).length, 20);
    assert.ok(warnedOf(body).some(([, reason]) => reason === 'a page may save 20 files'));
  });

  test('what is not kept comes in the answer itself, at most 50 MiB, and nowhere else', async () => {
    const body = await act([{ evaluate: `save('a.bin', 3)` }, saveLarge(50 * MIB - 2), LARGE_BEGUN], {
      router: { retain: 'metadata' },
    });
    const [file, ...more] = downloadsOf(body);
    assert.deepEqual([file!.url, more], ['data:application/octet-stream;base64,AAAA', []]);
    assert.equal(warnedOf(body)[0]?.[1], 'all files together would have more than 50 MiB');
    const { body: again } = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${body.id}/`);
    assert.equal(filesOf(again).downloads, undefined);
    const url = `${service.base}/api/v1/scrape/${body.id}/files/1/`;
    assert.equal((await fetch(url, withKey(service.key))).status, 404);
  });

  test('large ones come whole', async () => {
    const body = await act([saveLarge(40 * MIB), LARGE_BEGUN]);
    const [file] = downloadsOf(body);
    assert.equal(file!.bytes, 40 * MIB);
    assert.equal((await bytesAt(file!.url!)).length, 40 * MIB);
  });

  test('none stays in the folders of browsers', () => {
    const names = readdirSync(service.dataDir, { recursive: true }).map(String);
    const saved = names.filter((name) => /downloads\/./.test(name));
    assert.ok(names.some((name) => name.endsWith('downloads')) || process.getuid?.() === 0);
    assert.deepEqual(saved, []);
  });

  test('a page that is a file is one as it was received; a part of one, or an error, is none', async () => {
    for (const scraper of ['http', 'browser']) {
      const { body } = await service.scrape({ url: `${target.url}/latin`, scraper });
      assert.match(body.content!, /^ä;b\n/);
      const [file] = downloadsOf(body);
      assert.deepEqual([file!.name, file!.type, file!.bytes], ['latin', 'text/csv', 400_000]);
      assert.deepEqual((await bytesAt(file!.url!)).subarray(0, 4), Buffer.from('ä;b\n', 'latin1'));
      for (const path of ['/broken', '/missing', '/data'])
        assert.equal(
          filesOf((await service.scrape({ url: `${target.url}${path}`, scraper })).body).downloads,
          undefined,
          path,
        );
      const cut = { url: `${target.url}/latin`, scraper, scraper_options: { max_content_bytes: 10 } };
      assert.equal(filesOf((await service.scrape(cut)).body).downloads, undefined);
    }
  });

  test('the page is printed for paper, or as on a screen', async () => {
    const pages = async (media: string, more: object = {}) => {
      const scraper_options = { pdf: { media, format: 'Letter' }, ...more };
      const { body } = await service.scrape({ url: `${target.url}/print`, scraper_options });
      assert.deepEqual(body.errors, []);
      return filesOf(body).pdf!.pages;
    };
    for (const more of [{}, { locale: 'de' }]) {
      assert.equal(await pages('screen', more), 5);
      assert.equal(await pages('print', { ...more, formats: ['pdf'] }), 1);
    }
  });

  test('a page that cannot be printed is delivered without a PDF', async () => {
    for (const [path, pdf, message] of [
      ['/data', { landscape: true }, /does not display this response/],
      ['/print', { page_ranges: '7-9' }, /[Pp]age range/],
      ['/print', { margin: { left: '20in' } }, /print parameters/],
      ['/hangs', { landscape: true }, /timed out/],
    ] as const) {
      const { status, body } = await service.scrape({
        url: `${target.url}${path}`,
        scraper: 'browser',
        timeout_ms: 8_000,
        scraper_options: { pdf },
      });
      assert.deepEqual([status, body.router.outcome, filesOf(body).pdf], [200, 'partial', null], path);
      const { code, pointer, message: told } = body.errors[0]!;
      assert.deepEqual([code, pointer], ['pdf.failed', '/scraper_options/pdf']);
      assert.match(told, message);
    }
  });

  test('a PDF and downloads stand side by side', async () => {
    const body = await act([{ click: '#post-link' }], { scraper_options: { formats: ['pdf'] } });
    const { pdf, downloads } = filesOf(body);
    const numbers = [pdf!.url!, downloads![0]!.url!].map((url) => new URL(url).pathname.split('/').at(-2));
    assert.deepEqual(numbers, ['0', '1']);
    assert.match((await bytesAt(pdf!.url!)).subarray(0, 5).toString(), /%PDF-/);
    const reply = await fetch(pdf!.url!);
    assert.equal(
      reply.headers.get('content-disposition'),
      `attachment; filename="page.pdf"; filename*=UTF-8''page.pdf`,
    );
    await reply.arrayBuffer();
  });
});

describe('links to files', { skip }, () => {
  test('expire when the operator says; files survive the death of the service, and stand in a backup', async (t) => {
    const target = await startTarget({
      '/': (_, response) =>
        void response.writeHead(200, { 'content-disposition': 'attachment' }).end('a file'),
    });
    t.after(() => target[Symbol.asyncDispose]());
    const secret = { SLUICE_SECRET: 'a secret of some length', SLUICE_SCREENSHOT_HOURS: '0.0004' };
    const service = await startService(secret);
    t.after(() => service[Symbol.asyncDispose]());
    const { body } = await service.scrape({ url: target.url, scraper: 'http' });
    const { url } = downloadsOf(body)[0]!;
    assert.equal((await bytesAt(url!)).toString(), 'a file');
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const late = await fetch(url!);
    assert.deepEqual([late.status, ((await late.json()) as { code: string }).code], [410, 'file.expired']);
    await service.kill9();
    const file = `${service.dataDir}-backup`;
    const saved = await service.cli(['backup', file]);
    assert.equal(saved.code, 0, saved.stderr);
    const dataDir = `${service.dataDir}-2`;
    const restored = await service.cli(['restore', file], { env: { SLUICE_DATA_DIR: dataDir } });
    assert.equal(restored.code, 0, restored.stderr);
    for (const dir of [service.dataDir, dataDir]) {
      await using again = await startService(secret, { dataDir: dir, port: service.port });
      const path = `${again.base}/api/v1/scrape/${body.id}/files/1/`;
      const reply = await fetch(path, withKey(again.key));
      assert.deepEqual([reply.status, await reply.text()], [200, 'a file'], dir);
      await again.stop();
    }
    assert.ok(
      readdirSync(join(dataDir, 'blobs'), { recursive: true }).some((name) => String(name).includes('-f-1')),
    );
  });
});
