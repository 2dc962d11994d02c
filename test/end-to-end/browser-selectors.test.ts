import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../adapters/browser/target.ts';
import { useService } from '../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

/** The element exists for five frames only, a while after the load: polling at intervals would miss it. */
const FLASH = `
  let left = 5;
  const flash = () => {
    root.innerHTML = '<b id=flash>flash</b>';
    const frame = () => { if (left-- > 0) requestAnimationFrame(frame); else root.innerHTML = ''; };
    requestAnimationFrame(frame);
  };
  setTimeout(flash, 400);`;

describe('wait_for_selector', { skip }, () => {
  const service = useService();
  let target: Target;
  before(async () => {
    target = await startTarget({
      '/document': html(`<p id=root></p><script>${FLASH}</script>`),
      '/shadow': html(
        `<p id=host></p><script>const root = host.attachShadow({ mode: 'open' });${FLASH}</script>`,
      ),
      '/shadow-in-shadow': html(
        `<p id=host></p><script>const outer = host.attachShadow({ mode: 'open' });
        setTimeout(() => { outer.innerHTML = '<p>'; }, 100);
        let root;
        setTimeout(() => { root = outer.firstChild.attachShadow({ mode: 'open' }); outer.append(''); }, 200);${FLASH}</script>`,
      ),
      '/form': html(
        '<form id=f><input name=matches><input name=parentElement><input name=childNodes><b id=in>in</b></form>',
      ),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  for (const path of ['/document', '/shadow', '/shadow-in-shadow'])
    for (const state of ['visible', 'attached'])
      test(`${path.slice(1)}: an element that exists for a moment is found (${state})`, async () => {
        const { body } = await service.scrape({
          url: `${target.url}${path}`,
          scraper: 'browser',
          wait_for_selector: '#flash',
          scraper_options: { wait_for_selector_state: state },
          timeout_ms: 8_000,
        });
        assert.deepEqual(body.errors, []);
      });

  for (const selector of ['#f', '#f b', 'body > form > #in', 'input + b'])
    test(`finds a form whose fields are named like properties of elements: ${selector}`, async () => {
      const { body } = await service.scrape({
        url: `${target.url}/form`,
        scraper: 'browser',
        wait_for_selector: selector,
        timeout_ms: 5_000,
      });
      assert.deepEqual(body.errors, []);
    });
});
