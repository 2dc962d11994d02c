import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { readPng } from '../../helpers/png.ts';
import { useService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

const RED =
  '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="#ff0000"/></svg>';
const ITEMS = '<p style="height:6000px;margin:0">long</p>';

describe('a screenshot of the whole page', { skip }, () => {
  const service = useService();
  let target: Target;
  before(async () => {
    const picture = 'width=100 height=100 style="display:block"';
    target = await startTarget({
      '/red': (_, response) =>
        void setTimeout(() => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(RED), 300),
      '/hang': () => {},
      '/lazy': html(`<!doctype html><body style="margin:0">${ITEMS}<img loading=lazy src=/red ${picture}>`),
      '/scripted': html(`<!doctype html><body style="margin:0">${ITEMS}<img data-src=/red ${picture}><script>
        const one = document.querySelector('img');
        new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) one.src = one.dataset.src }).observe(one)</script>`),
      '/hangs': html(`<!doctype html><body style="margin:0">${ITEMS}<img loading=lazy src=/hang ${picture}>`),
      '/box':
        html(`<!doctype html><body style="margin:0;height:100vh;overflow:hidden;display:flex;flex-direction:column">
        <header style="height:50px">head</header><main style="flex:1;overflow-y:auto">${ITEMS}<img loading=lazy src=/red ${picture}></main>`),
      '/small-box': html(
        `<!doctype html><body style="margin:0"><div style="height:100px;overflow:auto">${ITEMS}</div>`,
      ),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  async function shoot(path: string, scraper_options: object = {}) {
    const { body } = await service.scrape({
      url: `${target.url}${path}`,
      scraper: 'browser',
      screenshot: true,
      scraper_options: { screenshot: { full_page: true }, ...scraper_options },
      timeout_ms: 30_000,
    });
    assert.deepEqual(body.errors, []);
    const response = await fetch(body.screenshot_url!);
    return { body, png: readPng(new Uint8Array(await response.arrayBuffer())) };
  }

  for (const [driver, options] of [
    ['cdp', {}],
    ['playwright', { color_scheme: 'light' }],
  ] as const) {
    for (const path of ['/lazy', '/scripted'])
      test(`has images that are loaded when they come into view: ${path}, driver ${driver}`, async () => {
        const { png } = await shoot(path, options);
        assert.deepEqual([png.height, png.at(50, 6050)], [6100, '#ff0000']);
      });

    test(`shows all of a box that scrolls in place of the page: driver ${driver}`, async () => {
      const { png } = await shoot('/box', options);
      assert.deepEqual([png.width, png.height, png.at(50, 6100)], [1280, 6150, '#ff0000']);
    });
  }

  test('does not wait for ever', async () => {
    assert.equal((await shoot('/hangs')).png.height, 6100);
  });

  test('leaves a box that is a part of the page', async () => {
    assert.equal((await shoot('/small-box')).png.height, 720);
  });

  test('leaves the page as it was', async () => {
    const { body } = await service.scrape({
      url: `${target.url}/box`,
      page_actions: [
        { type: 'screenshot', full_page: true },
        { evaluate: '[innerWidth, innerHeight, scrollY, screen.height]' },
      ],
    });
    const { actions } = body.scraper_data as { actions: { result: unknown }[] };
    assert.equal((actions[0]!.result as { height: number }).height, 6150);
    assert.deepEqual(actions[1]!.result, [1280, 720, 0, 720]);
  });
});
