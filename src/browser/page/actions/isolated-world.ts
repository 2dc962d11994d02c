import type { Locator } from 'playwright-core';
import { type DocumentSnapshot, readDocumentScript } from '../read-document.ts';
import { caretToEnd, isEditable, refusalOf } from './field-scripts.ts';

// Functions that are sent to the page as text, and run there in an isolated world: they may use nothing from here.

// What elements and documents have of their own may be hidden by fields and forms of the same names: it is taken from where
// all of them have it.

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

export interface ScrollPosition {
  readonly to: 'top' | 'bottom' | null;
  readonly x: number;
  readonly y: number;
}

function scrollElement(element: unknown, { to, x, y }: ScrollPosition): void {
  const of = (name: string): number => Reflect.get(Element.prototype, name, element);
  const left = to === null ? x : of('scrollLeft');
  const top = to === null ? y : to === 'top' ? 0 : of('scrollHeight');
  Element.prototype.scrollTo.call(element, { left, top, behavior: 'instant' });
}

function scrollWindow(_root: unknown, { to, x, y }: ScrollPosition): void {
  const ofDocument = (name: string): unknown => Reflect.get(Document.prototype, name, document);
  const page = ofDocument('scrollingElement');
  const of = (name: string): number =>
    Reflect.get(Element.prototype, name, page ?? ofDocument('documentElement'));
  const left = to === null ? x : of('scrollLeft');
  const top = to === null ? y : to === 'top' ? 0 : of('scrollHeight');
  // In quirks mode there may be no element that is scrolled with the window.
  if (page === null) window.scrollTo({ left, top, behavior: 'instant' });
  else Element.prototype.scrollTo.call(page, { left, top, behavior: 'instant' });
}

/** How much there is in what is scrolled, and how far that was done. */
export interface ScrollExtent {
  readonly top: number;
  /** What is to be seen of the height. */
  readonly visibleHeight: number;
  readonly height: number;
  readonly elements: number;
}

function extentOfElement(element: unknown): ScrollExtent {
  const of = (name: string): number => Reflect.get(Element.prototype, name, element);
  const elements = Element.prototype.getElementsByTagName.call(element, '*').length;
  return { top: of('scrollTop'), visibleHeight: of('clientHeight'), height: of('scrollHeight'), elements };
}

function extentOfPage(): ScrollExtent {
  const ofDocument = (name: string): unknown => Reflect.get(Document.prototype, name, document);
  const page = ofDocument('scrollingElement') ?? ofDocument('documentElement');
  const of = (name: string): number => Reflect.get(Element.prototype, name, page);
  const root = ofDocument('documentElement');
  const elements = Element.prototype.getElementsByTagName.call(root, '*').length;
  return { top: of('scrollTop'), visibleHeight: of('clientHeight'), height: of('scrollHeight'), elements };
}

function hide(element: unknown): void {
  const style: Style | undefined = Reflect.get(Object.getPrototypeOf(element), 'style', element as object);
  style?.setProperty('display', 'none', 'important');
}

function remove(element: unknown): void {
  Element.prototype.remove.call(element);
}

/** What runs in a page for actions, each on an element. */
const FUNCTIONS = {
  caretToEnd,
  extentOfElement,
  extentOfPage,
  hide,
  isEditable,
  refusalOf,
  remove,
  scrollElement,
  scrollWindow,
};
type IsolatedFunctions = typeof FUNCTIONS & { readDocument(root: unknown, limit: number): DocumentSnapshot };

const ENGINE_NAME = 'isolated';

/**
 * Playwright runs functions in the world of the page, where its scripts may have replaced what they use. But a selector
 * engine that is a content script runs in an isolated world: this one calls a function on the element that stands before
 * it in a selector, and what it finds is a new element outside of the document with the result as its text.
 */
const ENGINE_SCRIPT = `(() => {
  const functions = {
    ${Object.entries(FUNCTIONS)
      .map(([name, body]) => `${name}: ${body}`)
      .join(',\n')},
    readDocument: (element, limit) => JSON.parse((${readDocumentScript('limit')})),
  };
  const queryAll = (element, asked) => {
    const { name, arg } = JSON.parse(decodeURIComponent(asked));
    const found = document.createElement('p');
    found.textContent = JSON.stringify(functions[name](element, arg) ?? null);
    return [found];
  };
  return { queryAll, query: (element, asked) => queryAll(element, asked)[0] };
})()`;

let registered: Promise<void> | null = null;

/** To be done before a context is opened. */
export function registerIsolatedEngine(): Promise<void> {
  registered ??= import('playwright-core').then(({ selectors }) =>
    selectors.register(ENGINE_NAME, { content: ENGINE_SCRIPT }, { contentScript: true }),
  );
  return registered;
}

type Result<N extends keyof IsolatedFunctions> = ReturnType<IsolatedFunctions[N]>;
type Arg<N extends keyof IsolatedFunctions> = Parameters<IsolatedFunctions[N]>[1];

/** Calls a function on the element, in an isolated world. */
export async function evaluateIsolated<N extends keyof IsolatedFunctions>(
  element: Locator,
  name: N,
  arg: Arg<N>,
  options: { readonly timeout: number },
): Promise<Result<N>> {
  return JSON.parse((await isolatedLocator(element, name, arg).textContent(options))!);
}

/** Calls it on each of the elements, and tells how many they are. */
export function evaluateIsolatedAll(elements: Locator, name: 'hide' | 'remove'): Promise<number> {
  return isolatedLocator(elements, name, null).count();
}

/** Encoded, as quotes and `>>` mean something in selectors. */
function isolatedLocator(element: Locator, name: string, arg: unknown): Locator {
  const asked = encodeURIComponent(JSON.stringify({ name, arg })).replaceAll("'", '%27');
  return element.locator(`${ENGINE_NAME}=${asked}`);
}
