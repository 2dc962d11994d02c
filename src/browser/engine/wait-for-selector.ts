import { sleep } from '../../base/wait.ts';
import type { BrowserOptions } from '../../domain/browser-options.ts';
import type { CdpPage } from './cdp-browser.ts';

/** One compound selector, and how it stands to the one before it; null: it is the first. */
interface CompoundSelector {
  readonly css: string;
  readonly combinator: ' ' | '>' | '+' | '~' | null;
}

/** The alternatives of a selector list, each from left to right. */
type PlainSelectorList = readonly (readonly CompoundSelector[])[];

const NAME = String.raw`-?[A-Za-z_\u00a0-\uffff][\w\u00a0-\uffff-]*`;
const ATTRIBUTE = String.raw`\[\s*${NAME}\s*(?:[~|^$*]?=\s*(?:"[^"\\\n]*"|'[^'\\\n]*'|${NAME})\s*)?\]`;
const COMPOUND = new RegExp(String.raw`(?:\*|${NAME})?(?:[#.]${NAME}|${ATTRIBUTE})*`, 'y');
const COMBINATOR = /\s*([>+~])\s*|\s+/y;

/**
 * Reads what every engine of selectors reads alike: names, classes, ids, attributes and combinators (Selectors 4). null: there
 * is more in it, pseudo-classes and escapes say, or it is none of CSS.
 * @param selector with the prefix of its engine
 */
export function parsePlainSelector(selector: string): PlainSelectorList | null {
  if (!selector.startsWith('css=')) return null;
  const text = selector.slice('css='.length).trim();
  const list: CompoundSelector[][] = [[]];
  let combinator: CompoundSelector['combinator'] = null;
  for (let at = 0; ; ) {
    COMPOUND.lastIndex = at;
    const css = COMPOUND.exec(text)?.[0] ?? '';
    if (css === '') return null;
    list.at(-1)!.push({ css, combinator });
    at += css.length;
    if (at === text.length) return list;
    const comma = /^\s*,\s*/.exec(text.slice(at))?.[0];
    if (comma !== undefined) {
      at += comma.length;
      list.push([]);
      combinator = null;
      continue;
    }
    COMBINATOR.lastIndex = at;
    const between = COMBINATOR.exec(text);
    if (between === null) return null;
    at += between[0].length;
    combinator = (between[1] ?? ' ') as CompoundSelector['combinator'];
  }
}

/**
 * Runs in a world of its own in the page, as text: nothing from outside of it can be used. Settles when the first element that
 * matches is in the state. Open shadow trees count as part of the page, as in Playwright's selectors.
 */
const WAIT_SCRIPT = `(list, state) => new Promise((resolve) => {
  const EVERY_MS = 250;
  // What a form has of its own is hidden by fields of the same names.
  const get = (one, name) => Reflect.get(Element.prototype, name, one);
  const call = (one, name, ...rest) => Element.prototype[name].apply(one, rest);
  const above = (one) => {
    const parent = get(one, 'parentNode');
    return parent instanceof ShadowRoot ? parent.host : get(one, 'parentElement');
  };
  const fits = (one, compounds, at) => {
    if (!call(one, 'matches', compounds[at].css)) return false;
    if (at === 0) return true;
    switch (compounds[at].combinator) {
      case '>': { const next = above(one); return next !== null && fits(next, compounds, at - 1); }
      case '+': { const next = get(one, 'previousElementSibling'); return next !== null && fits(next, compounds, at - 1); }
      case '~':
        for (let next = get(one, 'previousElementSibling'); next !== null; next = get(next, 'previousElementSibling'))
          if (fits(next, compounds, at - 1)) return true;
        return false;
      default:
        for (let next = above(one); next !== null; next = above(next)) if (fits(next, compounds, at - 1)) return true;
        return false;
    }
  };
  const last = list.map((compounds) => compounds.at(-1).css).join(', ');
  const trees = [document];
  const observed = new WeakSet();
  const treesNow = () => {
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
        if (list.some((compounds) => fits(one, compounds, compounds.length - 1))) return one;
    return null;
  };
  const hasBox = ({ width, height }) => width > 0 && height > 0;
  const boxOfText = (node) => {
    const range = document.createRange();
    range.selectNode(node);
    return range.getBoundingClientRect();
  };
  const visible = (one) => {
    const style = getComputedStyle(one);
    if (style.display === 'contents') {
      for (const child of get(one, 'childNodes')) {
        if (child.nodeType === 1 && visible(child)) return true;
        if (child.nodeType === 3 && hasBox(boxOfText(child))) return true;
      }
      return false;
    }
    return call(one, 'checkVisibility') && style.visibility === 'visible' && hasBox(call(one, 'getBoundingClientRect'));
  };
  let there = false;
  const met = () => {
    treesNow();
    const one = find();
    there = one !== null;
    if (state === 'attached') return one !== null;
    if (state === 'detached') return one === null;
    return (one !== null && visible(one)) === (state === 'visible');
  };
  let due = false;
  let timer;
  const look = () => {
    due = false;
    // What changes how it looks need not change the tree.
    if (!met()) return there && (state === 'visible' || state === 'hidden') ? soon() : undefined;
    observer.disconnect();
    clearInterval(timer);
    resolve(true);
  };
  const soon = () => {
    if (due) return;
    due = true;
    requestAnimationFrame(look);
  };
  const observer = new MutationObserver(soon);
  // Nothing tells of a new shadow tree, and what is not drawn has no frames.
  timer = setInterval(look, EVERY_MS);
  look();
})`;

/** Another document is there at the latest then, or the same one again. */
const RETRY_MS = 20;

/** See `Tab.waitFor`. Goes on in the next document when the page moves on. */
export async function waitForSelector(
  { session, mainFrameId, closed }: Pick<CdpPage, 'session' | 'mainFrameId' | 'closed'>,
  selector: PlainSelectorList,
  state: BrowserOptions['selectorState'],
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
