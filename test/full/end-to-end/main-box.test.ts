import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { readPng } from '../../helpers/png.ts';
import { useService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

const GREEN = '#008000';
const WORDS = 'The harbour was built by hand, and its walls are older than the town. '.repeat(12);
/** The main content is green, and nothing else is. A field of the form is named like a member of an element. */
const page = (style: string, before = '') =>
  html(`<!doctype html><title>Harbours</title><style>body{margin:0}nav,form{height:60px}
main{background:green;margin-left:200px;width:700px;height:1000px}
h1,p{margin:0}div>div{height:20px}${style}</style>
<nav><a href="/">Home</a></nav>${before}<form><input name=children><input name=localName></form>
<div><div>Words</div><main><h1>Harbours</h1><p>${WORDS}</main></div><footer>Imprint</footer>`);

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

describe('where the main content is in the screenshot', { skip }, () => {
  const service = useService();
  let target: Target;
  before(async () => {
    target = await startTarget({
      '/page': page(''),
      '/far': page('nav{height:2000px}'),
      // When the page is scrolled through for the picture, the main content moves.
      '/moving': page(
        '#late{height:0}',
        '<div id=late></div><script>onscroll = () => { document.getElementById("late").style.height = "300px"; }</script>',
      ),
      '/whole': html(`<p>${WORDS}`),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  const scrape = async (path: string, options: object = {}, more: object = {}) => {
    const { body } = await service.scrape({
      url: target.url + path,
      screenshot: true,
      scraper_options: { formats: ['markdown'], only_main_content: true, ...options },
      ...more,
    });
    const main = body.scraper_data.main as { readonly selector: string; readonly box: Box | null };
    return { body, main };
  };

  /** The box of the green pixels must be that of the main content. */
  async function checkBox(path: string, options: object, more: object = {}): Promise<Box> {
    const { body, main } = await scrape(path, options, more);
    assert.deepEqual(body.errors, []);
    assert.equal(main.selector, 'main');
    const box = main.box!;
    const picture = readPng(await (await fetch(body.screenshot_url!)).bytes());
    const isGreen = (x: number, y: number) =>
      x >= 0 && y >= 0 && x < picture.width && y < picture.height && picture.at(x, y) === GREEN;
    const [right, bottom] = [box.x + box.width, box.y + box.height];
    const said = JSON.stringify(box);
    assert.ok(right <= picture.width && bottom <= picture.height, said);
    const [middle, low] = [box.x + box.width - 5, bottom - 5];
    assert.deepEqual(
      [isGreen(box.x + 1, low), isGreen(right - 2, low), isGreen(middle, box.y + 1)],
      [true, true, true],
      said,
    );
    assert.deepEqual(
      [
        isGreen(box.x - 2, low),
        isGreen(right + 1, low),
        isGreen(middle, box.y - 2),
        isGreen(middle, bottom + 1),
      ],
      [false, false, false, false],
      said,
    );
    return box;
  }

  test('in the viewport, the whole page, or an element; in pixels of the device', async () => {
    assert.deepEqual(await checkBox('/page', {}), { x: 200, y: 140, width: 700, height: 580 });
    for (const more of [{}, { page_actions: [{ scroll: 'bottom' }] }]) {
      const whole = await checkBox('/page', { screenshot: { full_page: true } }, more);
      assert.deepEqual(whole, { x: 200, y: 140, width: 700, height: 1_000 });
    }
    const scrolled = await checkBox('/page', {}, { page_actions: [{ scroll: 'bottom' }] });
    assert.equal(scrolled.y, 0);
    await checkBox('/page', { screenshot: { selector: 'div' } });
    const viewport = { width: 800, height: 600, device_scale_factor: 2 };
    const doubled = await checkBox('/page', { viewport, screenshot: { full_page: true } });
    assert.deepEqual([doubled.x, doubled.width, doubled.height], [400, 1_400, 2_000]);
    await checkBox('/page', { viewport: { ...viewport, width: 400, is_mobile: true } });
  });

  test('after the page has moved since it was read', async () => {
    const box = await checkBox('/moving', { screenshot: { full_page: true } });
    assert.equal(box.y, 440);
  });

  test('null if the picture does not show it, or there is none', async () => {
    assert.equal((await scrape('/far')).main.box, null);
    assert.equal((await scrape('/page', {}, { screenshot: false, scraper: 'browser' })).main.box, null);
    assert.equal((await scrape('/page', {}, { screenshot: false, scraper: 'http' })).main.box, null);
  });

  test('a page that is its main content', async () => {
    const { main } = await scrape('/whole');
    assert.ok(main.box !== null && main.box.width > 1_000, JSON.stringify(main));
  });
});
