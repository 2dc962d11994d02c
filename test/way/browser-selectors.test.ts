import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../adapters/browser/target.ts';
import { useService } from '../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

/** It is there for five frames, a while after the page was loaded: who looks only now and then does not see it. */
const FLASH = `
  let left = 5;
  const flash = () => {
    root.innerHTML = '<b id=flash>flash</b>';
    const frame = () => { if (left-- > 0) requestAnimationFrame(frame); else root.innerHTML = ''; };
    requestAnimationFrame(frame);
  };
  setTimeout(flash, 400);`;

describe('what is waited for', { skip }, () => {
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
      test(`${path.slice(1)}: it is seen as it comes (${state})`, async () => {
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
    test(`a form with fields that are named like what an element has: ${selector}`, async () => {
      const { body } = await service.scrape({
        url: `${target.url}/form`,
        scraper: 'browser',
        wait_for_selector: selector,
        timeout_ms: 5_000,
      });
      assert.deepEqual(body.errors, []);
    });
});
