import { sleep } from '../../base/wait.ts';
import type { PlainSelectorList } from '../../domain/plain-selector.ts';
import type { ScraperOptions } from '../../domain/scraper-options.ts';
import type { CdpPage } from './cdp-browser.ts';

/**
 * Runs in an isolated world of the page. Its promise settles when the first matching element is in the state. Open shadow trees
 * are part of the page, as in Playwright's selectors.
 */
const WAIT_SCRIPT = `(list, state) => new Promise((resolve) => {
  const EVERY_MS = 250;
  // Properties of a form may be hidden by fields of the same names, so they are taken from the prototype.
  const get = (one, name) => Reflect.get(Element.prototype, name, one);
  const call = (one, name, ...rest) => Element.prototype[name].apply(one, rest);
  const parentOf = (one) => {
    const parent = get(one, 'parentNode');
    return parent instanceof ShadowRoot ? parent.host : get(one, 'parentElement');
  };
  const matches = (one, compounds, at) => {
    if (!call(one, 'matches', compounds[at].css)) return false;
    if (at === 0) return true;
    switch (compounds[at].combinator) {
      case '>': { const next = parentOf(one); return next !== null && matches(next, compounds, at - 1); }
      case '+': { const next = get(one, 'previousElementSibling'); return next !== null && matches(next, compounds, at - 1); }
      case '~':
        for (let next = get(one, 'previousElementSibling'); next !== null; next = get(next, 'previousElementSibling'))
          if (matches(next, compounds, at - 1)) return true;
        return false;
      default:
        for (let next = parentOf(one); next !== null; next = parentOf(next)) if (matches(next, compounds, at - 1)) return true;
        return false;
    }
  };
  const last = list.map((compounds) => compounds.at(-1).css).join(', ');
  const trees = [document];
  const observed = new WeakSet();
  const updateTrees = () => {
    trees.length = 1;
    for (let at = 0; at < trees.length; at++) {
      if (!observed.has(trees[at])) {
        observed.add(trees[at]);
        observer.observe(trees[at], { subtree: true, childList: true, attributes: true, characterData: true });
      }
      for (const one of trees[at].querySelectorAll('*')) if (one.shadowRoot !== null) trees.push(one.shadowRoot);
    }
  };
  const find = () => {
    for (const tree of trees)
      for (const one of tree.querySelectorAll(last))
        if (list.some((compounds) => matches(one, compounds, compounds.length - 1))) return one;
    return null;
  };
  const hasBox = ({ width, height }) => width > 0 && height > 0;
  const textBox = (node) => {
    const range = document.createRange();
    range.selectNode(node);
    return range.getBoundingClientRect();
  };
  const isVisible = (one) => {
    const style = getComputedStyle(one);
    if (style.display === 'contents') {
      for (const child of get(one, 'childNodes')) {
        if (child.nodeType === 1 && isVisible(child)) return true;
        if (child.nodeType === 3 && hasBox(textBox(child))) return true;
      }
      return false;
    }
    return call(one, 'checkVisibility') && style.visibility === 'visible' && hasBox(call(one, 'getBoundingClientRect'));
  };
  let exists = false;
  const isMet = () => {
    updateTrees();
    const one = find();
    exists = one !== null;
    if (state === 'attached') return one !== null;
    if (state === 'detached') return one === null;
    return (one !== null && isVisible(one)) === (state === 'visible');
  };
  let isScheduled = false;
  let timer;
  const look = () => {
    isScheduled = false;
    // Visibility may change without a mutation.
    if (!isMet()) return exists && (state === 'visible' || state === 'hidden') ? schedule() : undefined;
    observer.disconnect();
    clearInterval(timer);
    resolve(true);
  };
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(look);
  };
  const observer = new MutationObserver(schedule);
  // Nothing reports new shadow trees, and pages that are not rendered have no animation frames.
  timer = setInterval(look, EVERY_MS);
  look();
})`;

/** The pause before the next try, when the document has been replaced. */
const RETRY_MS = 20;

/** See `BrowserPage.waitForSelector`. When the page navigates, it continues in the next document. */
export async function waitForSelector(
  { session, mainFrameId, closed }: Pick<CdpPage, 'session' | 'mainFrameId' | 'closed'>,
  selector: PlainSelectorList,
  state: ScraperOptions['waitForSelectorState'],
): Promise<void> {
  const expression = `(${WAIT_SCRIPT})(${JSON.stringify(selector)}, ${JSON.stringify(state)})`;
  for (;;) {
    try {
      const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
        frameId: mainFrameId,
        worldName: 'waiter',
      });
      const { exceptionDetails } = await session.send('Runtime.evaluate', {
        expression,
        contextId,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails === undefined) return;
    } catch (error) {
      if (closed.aborted) throw error;
    }
    await sleep(RETRY_MS);
  }
}
