import type { Locator, Selectors } from 'playwright-core';
import { READ_DOCUMENT, type ShownDocument } from '../visit/read-document.ts';
import { caretToEnd, isEditable, refusalOf } from './in-field.ts';
import { extentOfElement, extentOfPage, hide, remove, scrollElement, scrollWindow } from './in-page.ts';

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
type Functions = typeof FUNCTIONS & { readDocument(root: unknown, limit: number): ShownDocument };

const ENGINE = 'isolated';

/**
 * Playwright runs functions in the world of the page, where its scripts may have replaced what they use. But a selector
 * engine that is a content script runs in an isolated world: this one calls a function on the element that stands before
 * it in a selector, and what it finds is a new element outside of the document with the result as its text.
 */
const SCRIPT = `(() => {
  const functions = {
    ${Object.entries(FUNCTIONS)
      .map(([name, body]) => `${name}: ${body}`)
      .join(',\n')},
    readDocument: (element, limit) => JSON.parse((${READ_DOCUMENT('limit')})),
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
export function registerIsolated(selectors: Selectors): Promise<void> {
  registered ??= selectors.register(ENGINE, { content: SCRIPT }, { contentScript: true });
  return registered;
}

type Result<N extends keyof Functions> = ReturnType<Functions[N]>;
type Arg<N extends keyof Functions> = Parameters<Functions[N]>[1];

/** Calls a function on the element, in an isolated world. */
export async function isolated<N extends keyof Functions>(
  element: Locator,
  name: N,
  arg: Arg<N>,
  options: { readonly timeout: number },
): Promise<Result<N>> {
  return JSON.parse((await called(element, name, arg).textContent(options))!);
}

/** Calls it on each of the elements, and tells how many they are. */
export function isolatedAll(elements: Locator, name: 'hide' | 'remove'): Promise<number> {
  return called(elements, name, null).count();
}

/** Encoded, as quotes and `>>` mean something in selectors. */
function called(element: Locator, name: string, arg: unknown): Locator {
  const asked = encodeURIComponent(JSON.stringify({ name, arg })).replaceAll("'", '%27');
  return element.locator(`${ENGINE}=${asked}`);
}
