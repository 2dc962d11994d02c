import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ProxyServer, startProxy } from '../../helpers/proxy-server.ts';
import { SCRAPERS } from '../../helpers/scrapers.ts';
import { type Service, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

/** Credentials of a caller and of the operator, with characters that URLs, JSON and HTML must escape. */
const OWN = ['Anrufer', 'ge heim:@/"ü+1'] as const;
const POOL = ['Betreiber', 'ver&borgen<?#2'] as const;
const BAD = ['Betreiber', 'fal?sch%41'] as const;

/** A secret in all encodings in which it might appear. */
function formsOf([name, word]: readonly [string, string]): readonly string[] {
  const pair = Buffer.from(`${name}:${word}`);
  const bytes = Buffer.from(word);
  return [
    word,
    encodeURIComponent(word),
    encodeURIComponent(encodeURIComponent(word)),
    new URL(`http://${encodeURIComponent(name)}:${encodeURIComponent(word)}@a`).password,
    new URLSearchParams({ a: word }).toString().slice(2),
    JSON.stringify(word).slice(1, -1),
    JSON.stringify(JSON.stringify(word)).slice(3, -3),
    ...[pair, bytes].flatMap((of) => [of.toString('base64'), of.toString('base64url'), of.toString('hex')]),
    // In base64 at each of the three offsets, without the first and last character, which depend on the surrounding text.
    ...[1, 2].map((shift) =>
      Buffer.concat([Buffer.alloc(shift), bytes])
        .toString('base64')
        .slice(4, -4),
    ),
  ].map((form) => form.replace(/=+$/, ''));
}
const FORMS = [OWN, POOL, BAD].flatMap(formsOf).map((form) => Buffer.from(form));

function assertSilent(what: string, told: string | Buffer): void {
  const bytes = Buffer.from(told);
  for (const form of FORMS) assert.ok(!bytes.includes(form), `${what} holds ${form}`);
}

describe('only proxies get their credentials', () => {
  const site = useSite({ tls: true });
  const folder = mkdtempSync(join(tmpdir(), 'sluice-secrets-'));
  const proxies: Record<string, ProxyServer> = {};
  let service: Service;

  const urlOf = (kind: string, { port }: ProxyServer, [name, word]: readonly [string, string]) =>
    `${kind}://${encodeURIComponent(name)}:${encodeURIComponent(word)}@127.0.0.1:${port}`;
  const kindOf = (name: string) => (name.startsWith('socks') ? 'socks5h' : 'http');

  before(async () => {
    for (const kind of ['http', 'socks'] as const) {
      proxies[`${kind}-own`] = await startProxy({ kind, auth: OWN });
      proxies[`${kind}-pool`] = await startProxy({ kind, auth: POOL });
    }
    const pools = ['http-pool', 'socks-pool'].flatMap((name) => {
      const kind = kindOf(name);
      return [
        { name, type: 'datacenter', proxies: [urlOf(kind, proxies[name]!, POOL)] },
        { name: `${name}-bad`, type: 'datacenter', proxies: [urlOf(kind, proxies[name]!, BAD)] },
        {
          name: `${name}-gate`,
          type: 'residential',
          template: urlOf(kind, proxies[name]!, POOL).replace('Betreiber', 'Betreiber[-{city}]'),
        },
      ];
    });
    const file = join(folder, 'proxies.json');
    writeFileSync(file, JSON.stringify({ pools }));
    service = await startService({
      SLUICE_PROXIES: file,
      SLUICE_LOG_LEVEL: 'trace',
      SLUICE_METRICS_TOKEN: 'to-see-the-metrics',
    });
  });
  after(async () => {
    await service?.end();
    for (const proxy of Object.values(proxies)) await proxy.close();
    rmSync(folder, { recursive: true });
  });

  const ids: string[] = [];
  const scrape = async (scraper: string, url: string, proxy: unknown, more: object = {}) => {
    const reply = await service.scrape({
      url,
      scraper,
      proxy,
      scraper_options: { verify_tls: false },
      ...more,
    });
    assertSilent('the answer', reply.text);
    if (reply.body.id != null) ids.push(reply.body.id);
    return reply;
  };

  for (const scraper of SCRAPERS)
    for (const name of ['http', 'socks'])
      test(`${scraper} by ${name}: good ones and bad ones, of a caller and of a pool`, async () => {
        const kind = kindOf(name);
        const [own, pool] = [proxies[`${name}-own`]!, `${name}-pool`];
        const { port } = own;
        const object = { server: `${kind}://127.0.0.1:${port}`, username: OWN[0], password: OWN[1] };
        for (const target of [site.url, site.httpsUrl!]) {
          for (const proxy of [
            urlOf(kind, own, OWN),
            object,
            { pool },
            { type: 'residential', pool: `${pool}-gate` },
          ]) {
            const { body, text } = await scrape(scraper, `${target}/headers`, proxy);
            assert.equal(body.status_code, 200, text);
          }
          for (const proxy of [urlOf(kind, own, BAD), { pool: `${pool}-bad` }]) {
            const { body, text } = await scrape(scraper, `${target}/headers`, proxy);
            assert.equal(body.code, 'proxy.failed', text);
          }
        }
      });

  test('requests that are refused do not repeat them', async () => {
    const { port } = proxies['http-own']!;
    const url = urlOf('http', proxies['http-own']!, OWN);
    const rows: readonly (readonly [object, number])[] = [
      [{ proxy: url.replace('http://', 'ftp://') }, 400],
      [{ proxy: `${url}/path` }, 400],
      [{ proxy: { server: url, password: OWN[1] } }, 400],
      [{ proxy: { server: `http://127.0.0.1:${port}`, password: OWN[1] } }, 502],
      [{ proxy: { server: url, country: 'DE' } }, 400],
      [{ proxy: { server: `http://127.0.0.1:${port}`, pasword: OWN[1] } }, 400],
      [{ proxy: { server: `http://127.0.0.1:${port}`, password: [OWN[1]] } }, 400],
      [{ proxy: [url] }, 400],
      [{ proxy: url, router: { dry_run: true } }, 200],
    ];
    for (const [more, status] of rows) {
      const reply = await service.scrape({ url: `${site.url}/text`, scraper: 'http', ...more });
      assert.equal(reply.status, status, reply.text);
      assertSilent(JSON.stringify(more), reply.text);
    }
  });

  test('neither a browser nor its page has the credentials', { skip: SCRAPERS.length < 3 }, async () => {
    const script =
      'return [document.documentElement.outerHTML, document.cookie, location.href, JSON.stringify(performance.getEntries())].join()';
    const { body, text } = await scrape(
      'browser',
      `${site.url}/headers`,
      { pool: 'http-pool' },
      {
        page_actions: [{ type: 'evaluate', script }],
      },
    );
    assert.equal(body.status_code, 200, text);
    let seen = 0;
    // Its processes still run, because browsers are kept for the next scrape.
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const [line, env] = ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`));
        if (!line!.includes('--type=') && !line!.includes('chrom')) continue;
        seen++;
        assertSilent(`process ${pid}`, Buffer.concat([line!, env!]));
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
      }
    }
    assert.ok(seen > 0, 'no browser is running');
  });

  test('no endpoint returns the credentials afterwards', async () => {
    assert.ok(ids.length >= SCRAPERS.length * 24, `${ids.length} scrapes`);
    const ask = async (path: string) => {
      const headers = { authorization: `Api-Key ${service.key}` };
      const reply = await fetch(`${service.base}${path}`, { headers });
      const text = await reply.text();
      assert.equal(reply.status, 200, `${path} ${text}`);
      assertSilent(path, text);
      return text;
    };
    for (const id of ids) for (const end of ['', 'request/']) await ask(`/api/v1/scrape/${id}/${end}`);
    // The masked values are present, not removed.
    assert.match(await ask(`/api/v1/scrape/${ids[0]}/request/`), /Anrufer|\*\*\*/);
    for (const path of [
      '/api/v1/scrape/?limit=200',
      '/api/v1/scrape/export/?format=jsonl',
      '/api/v1/scrape/export/?format=csv',
      '/api/v1/proxies/',
      '/api/v1/proxies/choices/',
      '/api/v1/system/',
      '/api/v1/stats/?window=1h',
      '/api/v1/scrapers/',
    ])
      await ask(path);
    const metrics = await fetch(`${service.base}/metrics`, {
      headers: { authorization: 'Bearer to-see-the-metrics' },
    });
    assert.equal(metrics.status, 200);
    assertSilent('/metrics', await metrics.text());
  });

  test('neither the log, nor the targets, nor the files on disk contain the credentials', async () => {
    assert.ok((await service.log()).length > 20);
    assertSilent('the log', await service.output());
    assertSilent('the target', JSON.stringify(site.log));
    await service.stop();
    let bytes = 0;
    for (const entry of readdirSync(service.dataDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || /chrom|\.so|\.pak/.test(join(entry.parentPath, entry.name))) continue;
      const content = readFileSync(join(entry.parentPath, entry.name));
      bytes += content.length;
      assertSilent(entry.name, content);
    }
    assert.ok(bytes > 50_000, `${bytes} bytes`);
  });
});
