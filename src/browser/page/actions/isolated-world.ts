import type { Locator } from 'playwright-core';
import { type DocumentSnapshot, readDocumentScript } from '../read-document.ts';
import { caretToEnd, isEditable, isForSecret, rejectedValue } from './field-scripts.ts';

// These functions are sent to the page as text, and run there in an isolated world. They must not use anything outside of them.
// Properties are read from the prototypes because of DOM clobbering: a form field named `scrollTop` hides that of its form.

interface Style {
  setProperty(name: string, value: string, priority: string): void;
}
interface ScrollOptions {
  readonly left: number;
  readonly top: number;
  readonly behavior: 'instant';
}
declare const Element: {
  readonly prototype: {
    remove(): void;
    scrollTo(to: ScrollOptions): void;
    getElementsByTagName(name: string): { readonly length: number };
  };
};
declare const Document: { readonly prototype: object };
declare const document: object;
declare const window: { scrollTo(to: ScrollOptions): void };

/** Where to scroll: to an end of the content, or if `to` is null, to `x` and `y`. */
export interface ScrollPosition {
  readonly to: 'top' | 'bottom' | null;
  readonly x: number;
  readonly y: number;
}

function scrollElement(element: unknown, { to, x, y }: ScrollPosition): void {
  const get = (name: string): number => Reflect.get(Element.prototype, name, element);
  const left = to === null ? x : get('scrollLeft');
  const top = to === null ? y : to === 'top' ? 0 : get('scrollHeight');
  Element.prototype.scrollTo.call(element, { left, top, behavior: 'instant' });
}

function scrollWindow(_root: unknown, { to, x, y }: ScrollPosition): void {
  const getFromDocument = (name: string): unknown => Reflect.get(Document.prototype, name, document);
  const scroller = getFromDocument('scrollingElement');
  const get = (name: string): number =>
    Reflect.get(Element.prototype, name, scroller ?? getFromDocument('documentElement'));
  const left = to === null ? x : get('scrollLeft');
  const top = to === null ? y : to === 'top' ? 0 : get('scrollHeight');
  // In quirks mode there may be no scrolling element.
  if (scroller === null) window.scrollTo({ left, top, behavior: 'instant' });
  else Element.prototype.scrollTo.call(scroller, { left, top, behavior: 'instant' });
}

/** The size of scrollable content, and its scroll position. */
export interface ScrollExtent {
  readonly top: number;
  readonly visibleHeight: number;
  readonly height: number;
  /** How many elements the content has. */
  readonly elements: number;
}

function extentOfElement(element: unknown): ScrollExtent {
  const get = (name: string): number => Reflect.get(Element.prototype, name, element);
  const elements = Element.prototype.getElementsByTagName.call(element, '*').length;
  return { top: get('scrollTop'), visibleHeight: get('clientHeight'), height: get('scrollHeight'), elements };
}

function extentOfPage(): ScrollExtent {
  const getFromDocument = (name: string): unknown => Reflect.get(Document.prototype, name, document);
  const scroller = getFromDocument('scrollingElement') ?? getFromDocument('documentElement');
  const get = (name: string): number => Reflect.get(Element.prototype, name, scroller);
  const root = getFromDocument('documentElement');
  const elements = Element.prototype.getElementsByTagName.call(root, '*').length;
  return { top: get('scrollTop'), visibleHeight: get('clientHeight'), height: get('scrollHeight'), elements };
}

function hide(element: unknown): void {
  const style: Style | undefined = Reflect.get(Object.getPrototypeOf(element), 'style', element as object);
  style?.setProperty('display', 'none', 'important');
}

function remove(element: unknown): void {
  Element.prototype.remove.call(element);
}

/** The functions that `evaluateIsolated` can call; the first argument is an element. */
const FUNCTIONS = {
  caretToEnd,
  extentOfElement,
  extentOfPage,
  hide,
  isEditable,
  isForSecret,
  rejectedValue,
  remove,
  scrollElement,
  scrollWindow,
};
type IsolatedFunctions = typeof FUNCTIONS & { readDocument(root: unknown, limit: number): DocumentSnapshot };

const ENGINE_NAME = 'isolated';

/**
 * Playwright evaluates functions in the world of the page, whose scripts may have replaced built-ins. But selector engines with
 * `contentScript` run in an isolated world. This engine calls a function with the element that the selector has found so far, and
 * returns the result as the text of a new element outside of the document.
 */
const ENGINE_SCRIPT = `(() => {
  const functions = {
    ${Object.entries(FUNCTIONS)
      .map(([name, body]) => `${name}: ${body}`)
      .join(',\n')},
    readDocument: (element, limit) => JSON.parse((${readDocumentScript('limit')})),
  };
  const queryAll = (element, call) => {
    const { name, arg } = JSON.parse(decodeURIComponent(call));
    const result = document.createElement('p');
    result.textContent = JSON.stringify(functions[name](element, arg) ?? null);
    return [result];
  };
  return { queryAll, query: (element, call) => queryAll(element, call)[0] };
})()`;

let registered: Promise<void> | null = null;

/** To be called before a browser context is opened: contexts have only the selector engines that are registered by then. */
export function registerIsolatedEngine(): Promise<void> {
  registered ??= import('playwright-core').then(({ selectors }) =>
    selectors.register(ENGINE_NAME, { content: ENGINE_SCRIPT }, { contentScript: true }),
  );
  return registered;
}

type Result<N extends keyof IsolatedFunctions> = ReturnType<IsolatedFunctions[N]>;
type Arg<N extends keyof IsolatedFunctions> = Parameters<IsolatedFunctions[N]>[1];

/** Calls one of `FUNCTIONS` with the element, in an isolated world. Rejects after the timeout if there is no element. */
export async function evaluateIsolated<N extends keyof IsolatedFunctions>(
  element: Locator,
  name: N,
  arg: Arg<N>,
  options: { readonly timeout: number },
): Promise<Result<N>> {
  return JSON.parse((await isolatedLocator(element, name, arg).textContent(options))!);
}

/** Calls one of `FUNCTIONS` with each of the elements. @returns how many there are */
export function evaluateIsolatedAll(elements: Locator, name: 'hide' | 'remove'): Promise<number> {
  return isolatedLocator(elements, name, null).count();
}

/** The call is encoded, because quotes and `>>` have a meaning in selectors. */
function isolatedLocator(element: Locator, name: string, arg: unknown): Locator {
  const call = encodeURIComponent(JSON.stringify({ name, arg })).replaceAll("'", '%27');
  return element.locator(`${ENGINE_NAME}=${call}`);
}
