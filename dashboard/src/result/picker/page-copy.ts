import { STYLE_NONCE } from '../../app/page-config.ts';
import { attributeNames, attributeOf, childrenOf, nameOf, namespaceOf, nodesIn } from './dom-access.ts';
import type { ParsedPage } from './parse-page.ts';

/** More elements would make browsers slow, and deeper ones could end them. */
const MAX_ELEMENTS = 40_000;
const MAX_DEPTH = 400;

/** Elements that run, load or embed something, with all that is in them. */
const LEFT_OUT = new Set(
  'script noscript template iframe frame frameset object embed applet audio video canvas source track portal fencedframe link meta base title'.split(
    ' ',
  ),
);

/** Attributes that neither run nor load anything, nor give an element a name by which it hides members of the document. */
const KEPT_ATTRIBUTES = new Set(
  'id class title alt lang dir colspan rowspan scope start reversed value type size rows cols placeholder checked open hidden width height align valign border cellpadding cellspacing bgcolor color face datetime viewBox d fill stroke stroke-width x y x1 y1 x2 y2 cx cy r rx ry points transform'.split(
    ' ',
  ),
);

/**
 * A page to be shown: no scripts, no links, no resources, only its own style sheets. The frame is sandboxed without scripts and
 * forbids every request. So both guards must fail before a page could do anything.
 */
export const FRAME_PAGE = `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${STYLE_NONCE}'"><title>Page</title></head><body></body></html>`;

/** Pictures are not loaded, but can be picked. */
const FRAME_STYLE = `
  * { pointer-events: auto !important; animation: none !important; transition: none !important; }
  img { min-width: 24px; min-height: 24px; background: #e6e8ed; color: #434855; font-size: 12px; }
`;

/** The elements of the page, as they came, and their copies in the frame. */
export interface PageCopy {
  /** The element of which this is the copy; the nearest ancestor that is one. */
  originalOf(copy: Element | null): Element | null;
  copyOf(original: Element): Element | null;
  /** Whether the page has more elements than are shown. */
  readonly cut: boolean;
}

/** Fills an empty frame (`FRAME_PAGE`) with a copy of the page. */
export function copyPage({ document: page, styles }: ParsedPage, frame: Document): PageCopy {
  const copies = new Map<Element, Element>();
  const originals = new WeakMap<Element, Element>();
  const pair = (original: Element, copy: Element) => {
    copies.set(original, copy);
    originals.set(copy, original);
    copyAttributes(original, copy);
    // Written as a property, because the policy forbids the attribute.
    const style = styles.get(original);
    if (style !== undefined) (copy as HTMLElement).style.cssText = withoutUrls(style);
  };
  addStyle(frame, FRAME_STYLE);
  const waiting: { readonly node: Node; readonly into: Element; readonly depth: number }[] = [];
  let cut = false;
  const wait = (node: Node, into: Element, depth: number) => {
    for (const child of nodesIn(node).toReversed()) waiting.push({ node: child, into, depth });
  };
  for (const root of childrenOf(page)) {
    pair(root, frame.documentElement);
    for (const part of childrenOf(root)) {
      if (nameOf(part) === 'head') {
        for (const element of childrenOf(part))
          if (nameOf(element) === 'style') addStyle(frame, styles.get(element) ?? '');
      } else if (nameOf(part) === 'body') {
        pair(part, frame.body);
        wait(part, frame.body, 0);
      }
    }
  }
  // Not recursive, because pages may be nested deeply.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, into, depth } = next;
    if (node instanceof Text) into.append(frame.createTextNode(node.data));
    if (!(node instanceof Element) || LEFT_OUT.has(nameOf(node))) continue;
    if (nameOf(node) === 'style') {
      addStyle(frame, styles.get(node) ?? '');
      continue;
    }
    if (depth > MAX_DEPTH || copies.size > MAX_ELEMENTS) {
      cut = true;
      continue;
    }
    const copy = createCopy(node, frame);
    pair(node, copy);
    into.append(copy);
    wait(node, copy, depth + 1);
  }
  return {
    cut,
    copyOf: (original) => copies.get(original) ?? null,
    originalOf(copy) {
      for (let element = copy; element !== null; element = element.parentElement) {
        const original = originals.get(element);
        if (original !== undefined) return original;
      }
      return null;
    },
  };
}

function createCopy(element: Element, frame: Document): Element {
  // A form would hide its own members by the ids of its fields.
  if (nameOf(element) === 'form') return frame.createElement('div');
  return frame.createElementNS(namespaceOf(element), nameOf(element));
}

function copyAttributes(original: Element, copy: Element): void {
  for (const name of attributeNames(original)) {
    const value = attributeOf(original, name) ?? '';
    if (KEPT_ATTRIBUTES.has(name) || /^data-[a-z-]+$/.test(name)) copy.setAttribute(name, value);
  }
}

function addStyle(frame: Document, css: string): void {
  const style = frame.createElement('style');
  style.nonce = STYLE_NONCE;
  style.textContent = withoutUrls(css);
  frame.head.append(style);
}

/** The policy stops every request, but the browser would report each of them. */
const withoutUrls = (css: string): string =>
  css.replace(/@import\b[^;]*;?/gi, '').replace(/\b(url|image-set)\(/gi, 'no-url(');
