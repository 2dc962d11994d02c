import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Service } from '../../helpers/service.ts';
import { startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import { KEY, PIXEL, type StandIn, type StandIns, startStandIns } from '../../vendors/stand-in.ts';
import { BRIGHTDATA } from '../../vendors/stand-ins/brightdata.ts';
import { BROWSERLESS } from '../../vendors/stand-ins/browserless.ts';
import { FIRECRAWL } from '../../vendors/stand-ins/firecrawl.ts';
import { FLARESOLVERR } from '../../vendors/stand-ins/flaresolverr.ts';
import { HTTP } from '../../vendors/stand-ins/http.ts';
import { OXYLABS } from '../../vendors/stand-ins/oxylabs.ts';
import { SCRAPEDO } from '../../vendors/stand-ins/scrapedo.ts';
import { SCRAPERAPI } from '../../vendors/stand-ins/scraperapi.ts';
import { SCRAPFLY } from '../../vendors/stand-ins/scrapfly.ts';
import { SCRAPINGBEE } from '../../vendors/stand-ins/scrapingbee.ts';
import { SLUICE } from '../../vendors/stand-ins/sluice.ts';
import { ZENROWS } from '../../vendors/stand-ins/zenrows.ts';
import { ZYTE } from '../../vendors/stand-ins/zyte.ts';

const STAND_INS: readonly StandIn[] = [
  ...ZYTE,
  ...BRIGHTDATA,
  ...BROWSERLESS,
  ...FIRECRAWL,
  ...FLARESOLVERR,
  ...OXYLABS,
  ...SLUICE,
  ...HTTP,
  ...SCRAPFLY,
  ...SCRAPINGBEE,
  ...SCRAPERAPI,
  ...ZENROWS,
  ...SCRAPEDO,
];
const PRICE = 0.001;

/** The vendors of a file with all stand-ins. */
function vendorsFile(standIns: StandIns): object {
  return {
    vendors: STAND_INS.map((standIn) => ({
      name: standIn.name,
      kind: standIn.kind,
      key: KEY,
      base_url: standIns.base(standIn),
      price: standIn.tells.credits === null ? { per_success: PRICE } : { per_credit: PRICE },
      ...standIn.settings,
    })),
  };
}

describe('vendors, by the front door', () => {
  const site = useSite();
  let standIns: StandIns;
  let service: Service;
  const dir = mkdtempSync(join(tmpdir(), 'sluice-vendors-'));
  before(async () => {
    standIns = await startStandIns(STAND_INS);
    writeFileSync(join(dir, 'vendors.json'), JSON.stringify(vendorsFile(standIns)));
    writeFileSync(join(dir, 'prices.json'), JSON.stringify({ currency: 'EUR', scrapers: { http: 0.0001 } }));
    service = await startService({
      SLUICE_VENDORS: join(dir, 'vendors.json'),
      SLUICE_PRICES: join(dir, 'prices.json'),
    });
  });
  after(async () => {
    await service?.end();
    await standIns?.[Symbol.asyncDispose]();
    rmSync(dir, { recursive: true, force: true });
  });

  for (const standIn of STAND_INS) {
    const scraper = `vendor:${standIn.name}`;
    const scrape = async (path: string, more: object = {}) => {
      const reply = await service.scrape({ url: `${site.url}${path}`, scraper, ...more });
      assert.deepEqual(standIns.refused(), []);
      return reply;
    };
    /** 422 that names the member, if the vendor cannot honour it. */
    const isRefused = ({ status, body }: Awaited<ReturnType<typeof scrape>>, pointer: string) => {
      assert.deepEqual([status, body.code], [422, 'scraper.unsupported_option']);
      assert.match(String(body.detail), new RegExp(`does not support ${pointer}`));
      assert.deepEqual(standIns.taken(), []);
    };

    describe(`${standIn.name} (${standIn.described})`, () => {
      test('a page comes back with what the vendor tells', async () => {
        const { tells } = standIn;
        const { status, body } = await scrape('/with-headers?x-one=1');
        assert.equal(status, 200, JSON.stringify(body));
        assert.equal(body.router.scraper, scraper);
        assert.equal(body.router.outcome, 'ok');
        assert.match(String(body.content), /The quick brown fox/);
        assert.equal(body.status_code, tells.status ? 200 : null);
        assert.equal(body.final_url, tells.finalUrl ? `${site.url}/with-headers?x-one=1` : null);
        assert.equal(body.headers['x-one'], tells.headers ? '1' : undefined);
        const untold = Object.entries({
          status_code: tells.status,
          headers: tells.headers,
          cookies: tells.cookies,
          final_url: tells.finalUrl,
        }).flatMap(([name, isTold]) => (isTold ? [] : [name]));
        const warning = body.router.warnings.find(({ code }: { code: string }) => code === 'vendor.not_told');
        assert.deepEqual(warning?.details?.members ?? [], untold);
        const { vendor } = body.scraper_data;
        assert.partialDeepStrictEqual(vendor, {
          name: standIn.name,
          kind: standIn.kind,
          credits: tells.credits,
          cost_source: tells.credits === null ? 'estimated' : 'reported',
        });
        const cost = tells.credits === null ? PRICE : tells.credits * PRICE;
        const [candidate] = body.router.candidates!;
        if (tells.credits === null) assert.equal(candidate!.est_cost, PRICE);
        assert.ok(Math.abs(body.router.request_cost! - cost) < 1e-6, `${body.router.request_cost}`);
      });

      test('statuses, redirects and cookies', async () => {
        const { tells, can } = standIn;
        const missing = await scrape('/status/404');
        if (missing.status === 200) assert.equal(missing.body.status_code, tells.status ? 404 : null);
        else assert.equal(missing.body.code, 'vendor.failed');
        const moved = await scrape('/cookies/set?a=1');
        assert.equal(moved.status, 200, JSON.stringify(moved.body));
        if (tells.finalUrl) assert.equal(moved.body.final_url, `${site.url}/cookies`);
        standIns.taken();
        isRefused(
          await scrape('/redirect/1', { scraper_options: { max_redirects: 3 } }),
          '/scraper_options/max_redirects',
        );
        isRefused(await scrape('/text', { proxy: { bypass: ['a.test'] } }), '/proxy/bypass');
        const first = await scrape('/redirect/1', { allow_redirects: false });
        if (!can.noRedirects) isRefused(first, '/allow_redirects');
        else assert.equal(first.body.status_code, tells.status ? 302 : null);
      });

      test('bodies and headers of the request', async () => {
        const { can } = standIn;
        standIns.taken();
        const posted = await scrape('/echo', { method: 'POST', data: { a: 1 } });
        if (can.post) assert.match(String(posted.body.content), /"method":"POST".*"eyJhIjoxfQ=="/);
        else isRefused(posted, '/method');
        standIns.taken();
        const withHeader = await scrape('/headers', { headers: { 'X-Own': 'yes' } });
        if (can.headers) assert.match(String(withHeader.body.content), /"yes"/);
        else isRefused(withHeader, '/headers');
      });

      test('bytes', { skip: !standIn.can.binary && 'the vendor returns text' }, async () => {
        const { body } = await scrape('/bytes/1000', { scraper_options: { content_encoding: 'base64' } });
        const bytes = Buffer.from(String(body.content), 'base64');
        assert.deepEqual(
          [...bytes],
          Array.from({ length: 1000 }, (_, n) => n & 0xff),
        );
      });

      const returnsPdf = standIn.can.binary || standIn.can.pdf === true;
      test('a PDF', { skip: !returnsPdf && 'the vendor returns text' }, async () => {
        const { body } = await scrape('/document/pdf');
        assert.equal(body.content_encoding, 'base64');
        assert.match(Buffer.from(String(body.content), 'base64').toString('latin1'), /^%PDF-/);
      });

      test('country and session', async () => {
        const { can } = standIn;
        for (const [member, value, able] of [
          ['country', 'DE', can.country],
          ['session', 's1', can.session],
        ] as const) {
          standIns.taken();
          const reply = await scrape('/text', { proxy: { [member]: value } });
          if (!able) {
            isRefused(reply, `/proxy/${member}`);
            continue;
          }
          assert.equal(reply.status, 200, JSON.stringify(reply.body));
          const asked = standIn.asked(standIns.taken()[0]!);
          if (member === 'country') assert.equal(asked.country?.toUpperCase(), 'DE');
          else assert.ok(asked.session !== null && !asked.session.includes('s1'));
        }
      });

      test('a screenshot', async () => {
        standIns.taken();
        const reply = await scrape('/html/2000', { screenshot: true });
        if (!standIn.can.screenshot) return isRefused(reply, '/screenshot');
        const picture = await service.api(
          'GET',
          String(reply.body.screenshot_url).replace(/^https?:\/\/[^/]+/, ''),
        );
        assert.equal(picture.status, 200);
        assert.deepEqual([PIXEL.length > 0, reply.body.screenshot_url !== null], [true, true]);
      });

      test('credentials go to the vendor only if the caller says so', async () => {
        standIns.taken();
        const own = { headers: { Authorization: 'Basic abc' } };
        const kept = await scrape('/text', own);
        assert.deepEqual([kept.status, standIns.taken().length], [422, 0]);
        assert.equal(kept.body.candidates?.[0]?.excluded_by, 'credentials');
        const sent = await scrape('/headers', { ...own, router: { forward_credentials: true } });
        if (standIn.can.headers) assert.match(String(sent.body.content), /Basic abc/);
        else isRefused(sent, '/headers');
      });

      test('cookies', async () => {
        standIns.taken();
        const sent = await scrape('/cookies', {
          cookies: [
            { name: 'mine', value: 'yes' },
            { name: 'theirs', value: 'no', domain: 'other.test' },
          ],
          router: { forward_credentials: true },
        });
        if (!standIn.can.cookies) return isRefused(sent, '/cookies');
        assert.match(String(sent.body.content), /mine=yes/);
        assert.doesNotMatch(String(sent.body.content), /theirs/);
      });

      test('a wait', async () => {
        standIns.taken();
        const waited = await scrape('/text', { wait_for_timeout_ms: 1_234 });
        if (!standIn.can.wait) return isRefused(waited, '/wait_for_timeout_ms');
        assert.equal(waited.status, 200, JSON.stringify(waited.body));
        const [taken] = standIns.taken();
        assert.match(`${taken!.url.search} ${taken!.body}`, /\b1234\b/);
      });

      test('failures of the vendor are not those of the page, and never show the key', async () => {
        for (const [reason, answer] of Object.entries(standIn.troubles)) {
          standIns.next(answer!);
          const { status, body } = await scrape('/text');
          assert.deepEqual([status, body.code], [502, 'vendor.failed'], reason);
          assert.equal(body.errors[0]!.details?.reason, reason, JSON.stringify(body.errors));
          assert.equal(body.errors[0]!.source, 'vendor');
        }
        standIns.next({ status: 500, body: `the key ${KEY} is broken` });
        const { body } = await scrape('/text');
        assert.ok(!JSON.stringify(body).includes(KEY));
      });

      test('a page that the vendor sells although it is a bot wall', async () => {
        const { body } = await scrape('/bot-wall');
        assert.equal(body.router.outcome, 'blocked', JSON.stringify(body.router));
      });

      test('answers that are none', async () => {
        const answers = [
          { status: 500, body: '<html>gateway' },
          { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' },
        ];
        for (const answer of answers) {
          standIns.next(answer);
          const { status, body } = await scrape('/text');
          assert.deepEqual([status, body.code], [502, 'vendor.failed'], JSON.stringify(body));
        }
        standIns.next((response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          const piece = Buffer.alloc(2 ** 20, 'a');
          const write = () => {
            while (!response.destroyed && response.write(piece));
          };
          response.on('drain', write);
          write();
        });
        const large = await scrape('/text');
        assert.deepEqual([large.status, large.body.code], [502, 'vendor.failed']);
        assert.match(String(large.body.detail), /64 MiB/);
        standIns.next(() => {});
        const late = await scrape('/text', { timeout_ms: 1_000 });
        assert.deepEqual([late.status, late.body.errors[0]!.code], [502, 'vendor.failed']);
        assert.equal(late.body.errors[0]!.details?.reason, 'timeout');
      });
    });
  }
});
