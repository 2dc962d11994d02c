import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { done, results } from '../../end-to-end/acting.ts';
import { useService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('scroll and infinite_scroll on pages that replace scrolling functions', { skip }, () => {
  const service = useService();
  let target: Target;
  before(async () => {
    const long = '<p style="height:5000px;width:3000px">long</p>';
    const items = (n: number) => Array.from({ length: n }, () => '<p style="height:100px">item</p>').join('');
    const list = (more: string) => html(`<!doctype html><div id=list>${items(10)}</div>${more}`);
    const add = `<script>
      let busy = false;
      const add = () => { for (let n = 0; n < 10 && list.children.length < 30; n++) list.append(list.children[0].cloneNode(true)) };
      const fetches = async () => { if (busy || list.children.length >= 30) return; busy = true; await fetch("/items"); add(); busy = false };`;
    const atEnd = 'innerHeight + scrollY >= document.documentElement.scrollHeight - 5';
    target = await startTarget({
      '/items': (_, response) => void setTimeout(() => response.end('{}'), 2_500),
      '/fetches': list(`${add} addEventListener("scroll", () => { if (${atEnd}) fetches() })</script>`),
      '/timer': list(
        `${add} let due; addEventListener("scroll", () => { if (${atEnd}) due ??= setTimeout(() => { due = null; add() }, 1500) })</script>`,
      ),
      '/sentinel': list(`<i id=more>more</i><footer style="height:3000px">end</footer>
        ${add} new IntersectionObserver(([one]) => { if (one.isIntersecting) add() }).observe(more)</script>`),
      '/wheel': list(
        `${add} addEventListener("wheel", ({ deltaY }) => { if (deltaY > 0 && ${atEnd}) add() })</script>`,
      ),
      '/box':
        html(`<!doctype html><div id=box style="height:300px;overflow:auto"><div id=list>${items(10)}</div></div>
        ${add} box.onscroll = () => { if (box.scrollTop + 300 >= box.scrollHeight - 5) fetches() }</script>`),
      '/button': list(
        `<button id=more>more</button>${add} more.onclick = async () => { more.hidden = true; await fetches(); more.hidden = list.children.length >= 30 }</script>`,
      ),
      '/function': html(
        `<!doctype html>${long}<script>function scrollTo(id) { document.title = "own" }</script>`,
      ),
      '/quirks': html(`${long}<script>var scrollTo = null</script>`),
      '/names': html(
        `<!doctype html><form name=scrollingElement></form><img name=documentElement>${long}
        <form id=box style="height:90px;overflow:auto"><input name=scrollTo><select name=scrollHeight></select><b name=scrollLeft>b</b><p style="height:900px">in</p></form>`,
      ),
      '/feed': html(`<!doctype html><div id=list></div><script>
        let n = 0;
        const more = () => { for (let k = 0; k < 20 && n < 60; k++) { const p = document.createElement("p"); p.style.height = "100px"; p.id = "i" + ++n; list.append(p); } };
        more(); addEventListener("scroll", () => { if (innerHeight + scrollY >= list.scrollHeight - 5) more(); });
        function scrollTo() {}</script>`),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  const at = { evaluate: '[scrollX, scrollY, document.title]' };

  for (const path of ['/function', '/quirks', '/names'])
    test(`the page is scrolled, and its own functions are not called: ${path}`, async () => {
      const acted = await done(service, `${target.url}${path}`, [
        { scroll: 'bottom' },
        at,
        { type: 'scroll', x: 100, y: 250 },
        at,
        { scroll: 'top' },
        at,
      ]);
      const [, bottom, , place, , top] = results(acted) as [number, number, string][];
      assert.ok(bottom![1] > 4_000, `${bottom}`);
      assert.deepEqual(place, [100, 250, '']);
      assert.deepEqual(top, [100, 0, '']);
    });

  test('an element is scrolled', async () => {
    const acted = await done(service, `${target.url}/names`, [
      { type: 'scroll', to: 'bottom', container: '#box' },
      { evaluate: 'box.scrollTop > 700' },
      { type: 'scroll', x: 0, y: 40, container: '#box' },
      { evaluate: 'box.scrollTop' },
    ]);
    assert.deepEqual(results(acted), [undefined, true, undefined, 40]);
  });

  test('infinite_scroll loads content that appears with scrolling', async () => {
    const acted = await done(service, `${target.url}/feed`, [
      { infinite_scroll: { delay_ms: 300 } },
      { evaluate: 'list.children.length' },
    ]);
    assert.equal(results(acted)[1], 60);
  });

  for (const [path, more] of [
    ['/fetches', {}],
    ['/timer', {}],
    ['/sentinel', {}],
    ['/wheel', {}],
    ['/box', { container: '#box' }],
    ['/button', { click_selector: '#more' }],
  ] as const)
    test(`infinite_scroll does not end before all content has arrived: ${path}`, async () => {
      const acted = await done(service, `${target.url}${path}`, [
        { type: 'infinite_scroll', ...more },
        { evaluate: 'list.children.length' },
      ]);
      const [scrolled, count] = results(acted) as [{ reason: string }, number];
      assert.deepEqual([scrolled.reason, count], ['end', 30]);
    });
});
