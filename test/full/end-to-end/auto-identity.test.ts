import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { noBinding } from '../../adapters/impersonate/kit.ts';
import { useOwnService } from '../../helpers/service.ts';

const skip = noBinding || ((await chromiums()).length === 0 && 'there is no Chromium on this machine');

const OURS = /^Sluice\/[\d.]+$/;
const BROWSERS = /^Mozilla\/5\.0 .* Chrome\/\d+/;
describe('how `auto` identifies itself', { skip }, () => {
  let target: Target;
  const seen = new Map<string, IncomingHttpHeaders>();
  before(async () => {
    const page = html('<p id=out></p><script>out.textContent = navigator.userAgent; fetch("/data")</script>');
    target = await startTarget({
      '/': (request, response) => {
        seen.set('/', request.headers);
        page(request, response);
      },
      '/data': ({ headers }, response) => {
        seen.set('/data', headers);
        response.end('{}');
      },
    });
  });
  after(() => target[Symbol.asyncDispose]());

  for (const identity of ['browser', 'honest'] as const)
    describe(`SLUICE_AUTO_IDENTITY: ${identity}`, () => {
      const service = useOwnService(identity === 'browser' ? {} : { SLUICE_AUTO_IDENTITY: identity });
      const honest = identity === 'honest';
      const told = async (more: object) => {
        seen.clear();
        const { body } = await service.scrape({ url: `${target.url}/`, timeout_ms: 30_000, ...more });
        assert.deepEqual(body.errors, []);
        const agents = [...seen.values()].map((headers) => headers['user-agent']!);
        const hints = [...seen.values()].flatMap((headers) => headers['sec-ch-ua'] ?? []);
        assert.equal(new Set(agents).size, 1, agents.join());
        return {
          ...body,
          ways: body.router.attempts.map(({ scraper }) => scraper),
          agent: agents[0]!,
          hints,
        };
      };
      const browsers = { scraper: 'auto', wait_for_selector: '#out' };

      test('an unknown site', async () => {
        const first = await told({ scraper: 'auto', router: { accept: { contains: '<p' } } });
        assert.deepEqual(first.ways, [honest ? 'http' : 'http_impersonate']);
        assert.match(first.agent, honest ? OURS : BROWSERS);
        const one = first.router.candidates.find(({ scraper }) => scraper === 'http_impersonate');
        assert.equal(one?.excluded_by, honest ? 'auto_identity' : null);
        if (honest) return;
        assert.equal(first.router.scraper, 'http_impersonate');
        assert.match(first.router.request_headers!['user-agent']!, BROWSERS);
      });

      test('`http` and browsers under `auto`', async () => {
        assert.match((await told({ scraper: 'auto', router: { only: ['http'] } })).agent, OURS);
        const { ways, agent, hints, content } = await told(browsers);
        assert.deepEqual([ways, seen.size], [['browser'], 2]);
        assert.match(agent, honest ? OURS : BROWSERS);
        assert.ok(content!.includes(`>${agent}<`), content!);
        assert.equal(hints.join().includes('Chrom'), !honest);
      });

      test('a User-Agent, a device or a scraper in the request has priority', async () => {
        assert.equal((await told({ ...browsers, headers: { 'User-Agent': 'mine/1' } })).agent, 'mine/1');
        const device = { ...browsers, scraper_options: { device: 'iPhone 13' } };
        assert.match((await told(device)).agent, /iPhone/);
        for (const scraper of ['http_impersonate', 'browser'])
          assert.match((await told({ scraper })).agent, BROWSERS);
      });

      test('`http_impersonate` alone', async () => {
        const ask = { url: `${target.url}/`, scraper: 'auto', router: { only: ['http_impersonate'] } };
        const { body } = await service.scrape(ask);
        assert.equal(body.code ?? null, honest ? 'route.none' : null);
        if (honest)
          assert.match(
            body.detail!,
            /http_impersonate\/datacenter: `SLUICE_AUTO_IDENTITY=honest` excludes it/,
          );
      });
    });
});
