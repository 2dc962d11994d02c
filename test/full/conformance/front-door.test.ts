import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DATA, WITHOUT_DATA } from '../../egress/conformance.ts';
import { listen } from '../../helpers/free-port.ts';
import { useService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import type { ScrapeAnswer } from '../../helpers/wire-types.ts';

/** A server of files for the `describe` that calls it. */
function useServer(listener: RequestListener): { url: string } {
  const server = createServer(listener);
  const place = { url: '' };
  before(async () => {
    await listen(server);
    place.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return place;
}

const json = <T>(file: string): T => JSON.parse(readFileSync(join(DATA!, file), 'utf8')) as T;
const bytesOf = ({ content, content_encoding }: ScrapeAnswer): Buffer =>
  Buffer.from(content!, content_encoding === 'base64' ? 'base64' : 'utf8');

interface CharsetPage {
  readonly file: string;
  readonly spans: number;
  readonly encoding: string;
}

interface CodedFile {
  readonly file: string;
  readonly content_encoding: string;
  readonly kind: 'valid' | 'bomb' | 'broken';
  readonly decoded_sha256?: string;
}

interface RedirectTable {
  readonly header_dropping: readonly {
    id: string;
    request: string;
    location: string;
    keeps: readonly string[];
  }[];
  readonly method: readonly {
    status: number;
    method: string;
    becomes: string;
    body: 'kept' | 'dropped' | 'none';
  }[];
  readonly schemes: { readonly do_not_follow: readonly string[] };
  readonly location_bytes: readonly { location_hex: string }[];
  readonly fragment: readonly { request: string; location: string; final_url: string }[];
}

describe('conformance by the front door', { skip: WITHOUT_DATA }, () => {
  const service = useService();

  describe('charsets', () => {
    const server = useServer((request, response) => {
      const path = join(DATA!, 'encoding/wpt', request.url!.slice(1));
      const told = existsSync(`${path}.headers`) ? readFileSync(`${path}.headers`, 'latin1') : '';
      const type = /^content-type:\s*(.*?)\s*$/im.exec(told)?.[1] ?? 'text/html';
      response.writeHead(200, { 'content-type': type }).end(readFileSync(path));
    });

    test('the legacy pages of WPT', async (t) => {
      let right = 0;
      let all = 0;
      const pages = json<CharsetPage[]>('encoding/wpt-chars-manifest.json');
      for (const { file, spans, encoding } of pages) {
        const { status, body } = await service.scrape({ url: server.url + file });
        assert.equal(status, 200);
        assert.equal(body.content_encoding, 'utf-8', file);
        assert.equal((body.scraper_data as { charset?: { name: string } }).charset?.name, encoding, file);
        let seen = 0;
        for (const [, points, text] of body.content!.matchAll(
          /<span data-cp="([0-9A-Fa-f ]+)" data-bytes="[^"]*">([^<]*)<\/span>/g,
        )) {
          seen++;
          const codes = points!
            .trim()
            .split(/\s+/)
            .map((hex) => Number.parseInt(hex, 16));
          if (text === String.fromCodePoint(...codes)) right++;
        }
        assert.equal(seen, spans, file);
        all += seen;
      }
      t.diagnostic(`${right} of ${all} code points right on ${pages.length} pages`);
      assert.equal(all, 360_386);
      assert.ok(right >= 360_351);
    });
  });

  describe('codings', () => {
    const files = DATA === null ? [] : json<CodedFile[]>('compression/manifest.json');
    const server = useServer((request, response) => {
      const entry = files[Number(request.url!.slice(1))]!;
      response.writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-encoding': entry.content_encoding,
      });
      response.end(readFileSync(join(DATA!, 'compression', entry.file)));
    });

    test('valid ones are right, broken ones told, bombs cut', async (t) => {
      const count = { valid: 0, broken: 0, bomb: 0 };
      for (const [at, entry] of files.entries()) {
        const { status, body } = await service.scrape({
          url: `${server.url}${at}`,
          scraper_options: { content_encoding: 'base64', max_content_bytes: 10 << 20 },
          router: { retain: 'metadata' },
        });
        const told = `${entry.file}: ${status} ${JSON.stringify(body.errors)}`;
        assert.equal(status, 200, told);
        const codes = body.errors.map(({ code }) => code);
        if (entry.kind === 'valid') {
          assert.deepEqual(codes, [], told);
          if (entry.decoded_sha256 !== undefined)
            assert.equal(
              createHash('sha256').update(bytesOf(body)).digest('hex'),
              entry.decoded_sha256,
              told,
            );
        } else
          assert.deepEqual(
            codes,
            [entry.kind === 'bomb' ? 'content.truncated' : 'content.decode_failed'],
            told,
          );
        count[entry.kind]++;
      }
      t.diagnostic(`${count.valid} valid right, ${count.broken} broken told, ${count.bomb} bombs cut`);
      assert.equal(count.valid + count.broken + count.bomb, 69);
    });
  });

  describe('redirects', () => {
    const table = () => json<RedirectTable>('redirect/scrapy-redirect-cases.json');
    const site = useSite({ tls: true });
    const seen: { method: string; url: string; body: string; headers: readonly string[] }[] = [];
    const hopper = useServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        seen.push({
          method: request.method!,
          url: request.url!,
          body,
          headers: Object.keys(request.headers),
        });
        const ask = new URL(request.url!, 'http://x').searchParams;
        if (!ask.has('to')) response.end('end');
        else
          response
            .writeHead(Number(ask.get('status') ?? 302), {
              location: Buffer.from(ask.get('to')!, 'hex').toString('latin1'),
            })
            .end();
      });
    });
    const hop = (to: string | Buffer, status = 302) =>
      `${hopper.url}?status=${status}&to=${Buffer.from(to as string, 'latin1').toString('hex')}`;

    test('methods and bodies', async () => {
      for (const { status, method, becomes, body } of table().method) {
        seen.length = 0;
        const sends = body !== 'none';
        const { body: answer } = await service.scrape({
          url: hop('/end', status),
          method,
          ...(sends
            ? { data: 'a body', headers: { 'content-type': 'text/plain', 'content-language': 'en' } }
            : {}),
        });
        assert.equal(answer.status_code, 200, `${status} ${method}`);
        const last = seen.at(-1)!;
        assert.equal(last.method, becomes, `${status} ${method}`);
        assert.equal(last.body, body === 'kept' ? 'a body' : '', `${status} ${method}`);
        for (const name of ['content-type', 'content-language'])
          assert.equal(last.headers.includes(name), body === 'kept', `${status} ${method} ${name}`);
      }
    });

    test('schemes, bytes, fragments', async () => {
      for (const scheme of table().schemes.do_not_follow) {
        const { status, body } = await service.scrape({ url: hop(`${scheme}://x/y`) });
        assert.deepEqual([status, body.errors[0]?.code], [502, 'redirect.invalid'], scheme);
      }
      for (const { location_hex } of table().location_bytes) {
        const bytes = Buffer.from(location_hex, 'hex');
        const { body } = await service.scrape({ url: hop(bytes) });
        const path = [...bytes].map((b) =>
          b < 128 ? String.fromCharCode(b) : `%${b.toString(16).toUpperCase()}`,
        );
        assert.equal(body.final_url, hopper.url + path.join(''));
        assert.equal(seen.at(-1)!.url, `/${path.join('')}`);
      }
      for (const { request, location, final_url } of table().fragment) {
        const { body } = await service.scrape({
          url: hop(`/redirected${new URL(location).hash}`) + new URL(request).hash,
        });
        assert.equal(body.final_url, `${hopper.url}redirected${new URL(final_url).hash}`);
      }
    });

    test('what survives a change of origin', async () => {
      const http = site.url.replace('127.0.0.1', 'localhost');
      const https = site.httpsUrl!;
      const otherPort = hopper.url.replace('127.0.0.1', 'localhost');
      // The table's origins, as far as one machine has them; each row by what changes.
      const rows: Record<string, [from: string, to: string]> = {
        R01: [https, `${https}/echo`],
        R02: [http, `${http}/echo`],
        R05: [http, `${otherPort}echo`],
        R06: [https, `${https.replace('localhost', '127.0.0.1')}/echo`],
        R07: [http, `${https}/echo`],
        R08: [https, `${http}/echo`],
      };
      for (const { id, keeps } of table().header_dropping) {
        const row = rows[id];
        // R03 and R04 are about port 443, which is not ours here.
        if (row === undefined) continue;
        const { body } = await service.scrape({
          url: `${row[0]}/redirect-to?url=${encodeURIComponent(row[1])}`,
          headers: { A: '1', Authorization: 'secret' },
          cookies: { c: 'v' },
          scraper_options: { verify_tls: false },
        });
        assert.equal(body.status_code, 200, `${id}: ${JSON.stringify(body.errors)}`);
        const sent = Object.keys(body.router.request_headers).filter((name) =>
          ['a', 'cookie', 'authorization'].includes(name),
        );
        assert.deepEqual(sent.sort(), keeps.map((name) => name.toLowerCase()).sort(), id);
      }
    });
  });
});
