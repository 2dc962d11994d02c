import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../adapters/browser/target.ts';
import { useService } from '../helpers/service.ts';
import { act, results } from './acting.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('reported locations, redirects and refused requests of a page', { skip }, () => {
  const service = useService();
  let target: Target;
  before(async () => {
    target = await startTarget({
      '/page': html('<p>page</p>'),
      '/moves': html('<script>history.replaceState(null, "", "/moved#here")</script>'),
      '/json': (_, response) =>
        void response.writeHead(200, { 'content-type': 'application/json', 'x-a': '1' }).end('{"a":1}'),
      '/nothing': (_, response) => void response.writeHead(204, { 'x-a': '2' }).end(),
      '/nowhere': (_, response) => void response.writeHead(302, { location: 'http://[bad' }).end(),
      '/round': (_, response) => void response.writeHead(302, { location: '/round' }).end(),
      '/forbidden': (_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      '/tries': html(
        '<img src="http://10.0.0.2/"><script>onload = () => { location = "http://10.0.0.1/" }</script>',
      ),
      '/leads': (_, response) => void response.writeHead(302, { location: '/page', 'x-a': '3' }).end('there'),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  test('goto and back report the fragment, and a URL that the page has set by pushState', async () => {
    const url = `${target.url}/page`;
    const acted = await act(service, url, [
      { goto: `${url}#one` },
      { goto: `${url}#two` },
      { back: true },
      { goto: `${target.url}/moves` },
    ]);
    assert.deepEqual(results(acted), [
      { url: `${url}#one`, status_code: 200 },
      { url: `${url}#two`, status_code: 200 },
      { url: `${url}#one`, status_code: 200 },
      { url: `${target.url}/moved#here`, status_code: 200 },
    ]);
    assert.equal(acted.body.final_url, `${target.url}/moved#here`);
  });

  test('timing.actions is reported even if an action left the page for content that is no document', async () => {
    const { body } = await act(service, `${target.url}/page`, [
      { wait: 100 },
      { goto: `${target.url}/json` },
    ]);
    assert.equal(body.content, '{"a":1}');
    const ms = body.router.timing?.actions ?? 0;
    assert.ok(ms >= 100, `${ms} ms`);
  });

  test('capture: responses that the page does not show have their status and headers', async () => {
    const exchanges = async (path: string, more: object = {}) => {
      const { body } = await service.scrape({
        url: target.url + path,
        scraper: 'browser',
        scraper_options: { capture: [{ url: '**', resource_type: 'document', body: true }] },
        ...more,
      });
      const { network } = body.scraper_data as {
        network: {
          url: string;
          status: number | null;
          headers: Record<string, string>;
          truncated: boolean;
        }[];
      };
      return {
        told: network.map(({ url, status, headers, truncated }) => [
          url.slice(target.url.length),
          status,
          headers['x-a'],
          truncated,
        ]),
        outcome: body.router.outcome,
      };
    };
    assert.deepEqual(await exchanges('/json'), { told: [['/json', 200, '1', false]], outcome: 'ok' });
    assert.deepEqual(await exchanges('/leads', { allow_redirects: false }), {
      told: [['/leads', 302, '3', false]],
      outcome: 'ok',
    });
    const page_actions = [
      { type: 'goto', url: `${target.url}/nothing`, on_error: 'continue' },
      { goto: `${target.url}/json` },
    ];
    const { told } = await exchanges('/page', { page_actions });
    assert.deepEqual(told, [
      ['/page', 200, undefined, false],
      ['/nothing', 204, '2', false],
      ['/json', 200, '1', false],
    ]);
  });

  test('a redirect that cannot be followed is one of the redirects, as with http', async () => {
    const url = `${target.url}/nowhere`;
    for (const scraper of ['http', 'browser']) {
      const { status, body } = await service.scrape({ url, scraper });
      assert.deepEqual(
        [status, body.code, body.router.redirects],
        [502, 'redirect.invalid', [{ url, status_code: 302 }]],
      );
    }
  });

  test('a redirect loop is always redirect.too_many', async () => {
    const codes: unknown[] = [];
    for (let n = 0; n < 4; n++) {
      const ask = { url: `${target.url}/round`, scraper: 'browser' };
      const round = await Promise.all(Array.from({ length: 3 }, () => service.scrape(ask)));
      codes.push(...round.map(({ body }) => [body.code, body.router.redirects?.length]));
    }
    assert.deepEqual(
      codes,
      codes.map(() => ['redirect.too_many', 2]),
    );
  });

  test('a main document that is refused is not counted as a sub-resource', async () => {
    const refusals = async (path: string) => {
      const { status, body } = await service.scrape({ url: target.url + path, scraper: 'browser' });
      assert.deepEqual([status, body.code], [403, 'policy.address']);
      const told = body.router.warnings.find(({ code }) => code === 'egress.blocked');
      return told?.details ?? null;
    };
    assert.equal(await refusals('/forbidden'), null);
    assert.deepEqual(await refusals('/tries'), { count: 1, hosts: [{ host: '10.0.0.2', count: 1 }] });
  });
});
