import { sleep } from '../../base/wait.ts';
import type { PlainSelectorList } from '../../domain/plain-selector.ts';
import type { ScraperOptions } from '../../domain/scraper-options.ts';
import type { CdpPage } from './cdp-browser.ts';

/**
 * Runs in an isolated world of the page. Its promise resolves when the first matching element is in the state. As in
 * Playwright's selectors, elements in open shadow trees match, too. A selector is a list of compound selectors with their
 * combinators.
 */
const WAIT_SCRIPT = `(list, state) => new Promise((resolve) => {
  const CHECK_INTERVAL_MS = 250;
  // Against DOM clobbering (a form field with the name of a property hides it): properties are read from the prototype.
  const get = (element, name) => Reflect.get(Element.prototype, name, element);
  const call = (element, name, ...rest) => Element.prototype[name].apply(element, rest);
  const parentOf = (element) => {
    const parent = get(element, 'parentNode');
    return parent instanceof ShadowRoot ? parent.host : get(element, 'parentElement');
  };
  const matches = (element, compounds, index) => {
    if (!call(element, 'matches', compounds[index].css)) return false;
    if (index === 0) return true;
    switch (compounds[index].combinator) {
      case '>': { const next = parentOf(element); return next !== null && matches(next, compounds, index - 1); }
      case '+': { const next = get(element, 'previousElementSibling'); return next !== null && matches(next, compounds, index - 1); }
      case '~':
        for (let next = get(element, 'previousElementSibling'); next !== null; next = get(next, 'previousElementSibling'))
          if (matches(next, compounds, index - 1)) return true;
        return false;
      default:
        for (let next = parentOf(element); next !== null; next = parentOf(next)) if (matches(next, compounds, index - 1)) return true;
        return false;
    }
  };
  const lastCompounds = list.map((compounds) => compounds.at(-1).css).join(', ');
  const trees = [document];
  const observed = new WeakSet();
  const updateTrees = () => {
    trees.length = 1;
    for (let index = 0; index < trees.length; index++) {
      if (!observed.has(trees[index])) {
        observed.add(trees[index]);
        observer.observe(trees[index], { subtree: true, childList: true, attributes: true, characterData: true });
      }
      for (const element of trees[index].querySelectorAll('*')) if (element.shadowRoot !== null) trees.push(element.shadowRoot);
    }
  };
  const find = () => {
    for (const tree of trees)
      for (const element of tree.querySelectorAll(lastCompounds))
        if (list.some((compounds) => matches(element, compounds, compounds.length - 1))) return element;
    return null;
  };
  const hasBox = ({ width, height }) => width > 0 && height > 0;
  const textBox = (node) => {
    const range = document.createRange();
    range.selectNode(node);
    return range.getBoundingClientRect();
  };
  const isVisible = (element) => {
    const style = getComputedStyle(element);
    if (style.display === 'contents') {
      for (const child of get(element, 'childNodes')) {
        if (child.nodeType === 1 && isVisible(child)) return true;
        if (child.nodeType === 3 && hasBox(textBox(child))) return true;
      }
      return false;
    }
    return call(element, 'checkVisibility') && style.visibility === 'visible' && hasBox(call(element, 'getBoundingClientRect'));
  };
  let exists = false;
  const isMet = () => {
    updateTrees();
    const element = find();
    exists = element !== null;
    if (state === 'attached') return element !== null;
    if (state === 'detached') return element === null;
    return (element !== null && isVisible(element)) === (state === 'visible');
  };
  let isScheduled = false;
  let timer;
  const check = () => {
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
    requestAnimationFrame(check);
  };
  const observer = new MutationObserver(schedule);
  // Nothing reports new shadow trees, and pages that are not rendered have no animation frames.
  timer = setInterval(check, CHECK_INTERVAL_MS);
  check();
})`;

/** The pause before the next try, after the document was replaced by a navigation. */
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
