/** Clean HTML of a part of a page: its content without scripts, styles, and what only arranges or decorates it. */
import type { ContentSelection } from './content-selection.ts';
import { imageAlt, imageSource, isTrackingPixel, pictureOfNoscript } from './image-source.ts';
import { attributeOf, shownChildrenOf, type TreeNode } from './page-tree.ts';
import { displayOf } from './visible-text.ts';

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Elements that mean something. Other blocks become `div`, and of other inline elements only the content is kept. */
const KEPT = wordSet(
  `a abbr address article aside b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em
  figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark nav ol p picture pre q rp rt
  ruby s samp section small source strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr`,
);
const MATHML = wordSet(
  `math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msup msub msubsup munder mover munderover mtable mtr mtd
  mmultiscripts mprescripts mpadded mphantom merror mstyle semantics`,
);
/** Written without their content, which is for browsers that cannot play them. */
const MEDIA = wordSet('audio video');
const VOID_ELEMENTS = wordSet('br col hr img source wbr');
const KEPT_ATTRIBUTES = wordSet('alt title lang colspan rowspan start datetime');
const URL_ATTRIBUTES = wordSet('href src');
const SAFE_SCHEME = /^(?:https?|mailto|tel|ftp):$/;
/** Deeper elements lose their tags and keep their content. */
const MAX_DEPTH = 256;
/** Blocks that are dropped when nothing is in them. */
const DROPPED_IF_EMPTY = wordSet(
  'div p span section article aside header footer nav li ul ol dl blockquote figure figcaption a',
);

interface OpenElement {
  readonly children: readonly TreeNode[];
  nextIndex: number;
  /** Empty: only the content is kept. */
  readonly name: string;
  /** Index of its start tag in the pieces. */
  readonly start: number;
}

export interface CleanHtml {
  readonly html: string;
  /** There is more. */
  readonly truncated: boolean;
}

/**
 * HTML with the attributes href, src, alt, title, lang, colspan, rowspan, start and datetime only.
 * @param base relative URLs are resolved against it
 * @param maxLength in UTF-16 units; at the limit, open elements are closed
 */
export function toCleanHtml(
  { roots, excluded }: ContentSelection,
  base: string,
  maxLength: number,
): CleanHtml {
  const writer = new HtmlWriter(excluded, base, maxLength);
  for (const root of roots) writer.write(root);
  return { html: writer.html(), truncated: writer.isFull };
}

class HtmlWriter {
  readonly #excluded: ReadonlySet<TreeNode>;
  readonly #base: string;
  readonly #pieces: string[] = [];
  readonly #open: OpenElement[] = [];
  readonly #maxLength: number;
  #length = 0;
  #depth = 0;
  isFull = false;

  constructor(excluded: ReadonlySet<TreeNode>, base: string, maxLength: number) {
    this.#excluded = excluded;
    this.#base = base;
    this.#maxLength = maxLength;
  }

  write(root: TreeNode): void {
    if (this.#pieces.length > 0) this.#add('\n');
    this.#enter(root, { isRoot: true });
    while (this.#open.length > 0) {
      const frame = this.#open.at(-1)!;
      const node = frame.children[frame.nextIndex++];
      if (node === undefined) this.#close(this.#open.pop()!);
      else this.#enter(node, { isRoot: false });
    }
  }

  html(): string {
    return this.#pieces.join('');
  }

  #add(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
  }

  /** @param isRoot shown even if the page hides it: it was selected */
  #enter(node: TreeNode, { isRoot }: { readonly isRoot: boolean }): void {
    this.isFull ||= this.#length + (node.value?.length ?? 0) > this.#maxLength;
    if (this.isFull) return;
    if (node.value !== undefined) {
      this.#add(escapeHtml(node.value));
      return;
    }
    if (node.tagName === undefined) {
      if (node.childNodes !== undefined) this.#push(node, '');
      return;
    }
    if (this.#excluded.has(node)) return;
    if (node.tagName === 'noscript' && !isRoot) {
      for (const image of pictureOfNoscript(node, this.#base))
        this.#add(`<img${this.#attributes(image, 'img')}>`);
      return;
    }
    const name = this.#nameFor(node, isRoot);
    if (name === null) return;
    if (name === 'img' && (imageSource(node, this.#base) === null || isTrackingPixel(node))) return;
    if (VOID_ELEMENTS.has(name)) this.#add(`<${name}${this.#attributes(node, name)}>`);
    else this.#push(node, name);
  }

  /** The element to write; empty: only its content; null: nothing of it. */
  #nameFor(node: TreeNode, isRoot: boolean): string | null {
    const tag = node.tagName!;
    if (MEDIA.has(tag)) return tag;
    const display = displayOf(node);
    if (display === 'none' && !isRoot) return null;
    if (tag === 'body' || tag === 'html' || tag === 'picture') return '';
    if (tag === 'source' || this.#depth >= MAX_DEPTH)
      return VOID_ELEMENTS.has(tag) && tag !== 'source' ? tag : '';
    if (KEPT.has(tag) || MATHML.has(tag)) return tag;
    return display === 'inline' || display === 'none' ? '' : display === 'pre' ? 'pre' : 'div';
  }

  #push(node: TreeNode, name: string): void {
    const start = this.#pieces.length;
    if (name !== '') {
      this.#depth++;
      this.#add(`<${name}${this.#attributes(node, name)}>`);
    }
    // The content of `video` is for browsers without it.
    const children = MEDIA.has(name) ? [] : shownChildrenOf(node);
    this.#open.push({ children, nextIndex: 0, name, start });
  }

  #close({ name, start }: OpenElement): void {
    if (name === '') return;
    this.#depth--;
    const isEmpty = DROPPED_IF_EMPTY.has(name) && this.#pieces.length === start + 1;
    if (isEmpty) this.#pieces.pop();
    else this.#pieces.push(`</${name}>`);
  }

  #attributes(node: TreeNode, name: string): string {
    let text = '';
    for (const { name: attribute, value, prefix } of node.attrs ?? []) {
      if (prefix) continue;
      if (KEPT_ATTRIBUTES.has(attribute)) text += ` ${attribute}="${escapeAttribute(value)}"`;
      else if (URL_ATTRIBUTES.has(attribute) && name !== 'img') {
        const url = this.#safeUrl(value);
        if (url !== null) text += ` ${attribute}="${escapeAttribute(url)}"`;
      }
    }
    if (name !== 'img') return text;
    const alt = imageAlt(node);
    if (alt !== '' && !attributeOf(node, 'alt')?.trim()) text += ` alt="${escapeAttribute(alt)}"`;
    return ` src="${escapeAttribute(imageSource(node, this.#base)!)}"${text}`;
  }

  #safeUrl(value: string): string | null {
    const url = URL.parse(value, this.#base);
    return url !== null && SAFE_SCHEME.test(url.protocol) ? url.href : null;
  }
}

function escapeHtml(text: string): string {
  if (!/[&<>\u00a0]/.test(text)) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\u00a0', '&nbsp;');
}

const escapeAttribute = (value: string): string => escapeHtml(value).replaceAll('"', '&quot;');
