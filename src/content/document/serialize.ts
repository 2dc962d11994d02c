import type { ContentSelection } from './content-selection.ts';
import { HTML_NAMESPACE, type PageTree, type TreeNode } from './page-tree.ts';

/** Elements without content and end tag (WHATWG HTML §13.3). */
const VOID_ELEMENTS = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);
/** Elements whose text is not escaped. */
const RAW_TEXT_ELEMENTS = new Set('style script xmp iframe noembed noframes plaintext'.split(' '));

/** An element whose end tag is not written yet. */
interface OpenElement {
  readonly children: readonly TreeNode[];
  /** Index of the next child. */
  nextIndex: number;
  readonly end: string;
  /** Text is not escaped. */
  readonly raw: boolean;
}

/** A comment of parse5 has its text in `data`. */
type Parse5Node = TreeNode & { readonly data?: string };

/**
 * Serializes an element with its content: HTML by WHATWG HTML §13.3, XML by the usual rules. Not recursive, so that deep
 * pages do not overflow the stack.
 * @returns null if the result would be longer than `maxLength` characters
 */
export function serializeElement(root: TreeNode, tree: PageTree, maxLength: number): string | null {
  return serializeSelection({ roots: [root], excluded: NOTHING }, tree, maxLength);
}

const NOTHING: ReadonlySet<TreeNode> = new Set();

/** The same of a part of the page. */
export function serializeSelection(
  { roots, excluded }: ContentSelection,
  tree: PageTree,
  maxLength: number,
): string | null {
  const pieces: string[] = [];
  const open: OpenElement[] = [{ children: roots, nextIndex: 0, end: '', raw: false }];
  let length = 0;
  while (open.length > 0) {
    const frame = open[open.length - 1]!;
    const node = frame.children[frame.nextIndex++] as Parse5Node | undefined;
    let piece: string;
    if (node === undefined) {
      piece = frame.end;
      open.pop();
    } else if (excluded.has(node)) {
      continue;
    } else if (node.tagName !== undefined) {
      const children = node.content?.childNodes ?? node.childNodes ?? [];
      const inner = node.shadowTemplate === undefined ? children : [node.shadowTemplate, ...children];
      const name = tree.xml ? node.nodeName : node.tagName;
      const html = !tree.xml && node.namespaceURI === HTML_NAMESPACE;
      const isEmpty = tree.xml ? inner.length === 0 : html && VOID_ELEMENTS.has(name);
      piece = `<${name}${serializeAttributes(node, tree.xml)}${isEmpty && tree.xml ? '/>' : '>'}`;
      const raw = html && (RAW_TEXT_ELEMENTS.has(name) || (name === 'noscript' && tree.scripting));
      if (!isEmpty) open.push({ children: inner, nextIndex: 0, end: `</${name}>`, raw });
    } else if (node.value !== undefined) {
      piece = frame.raw ? node.value : escapeText(node.value, tree.xml);
    } else {
      piece = node.nodeName === '#comment' ? `<!--${node.data ?? ''}-->` : '';
    }
    length += piece.length;
    if (length > maxLength) return null;
    pieces.push(piece);
  }
  return pieces.join('');
}

function serializeAttributes(node: TreeNode, xml: boolean): string {
  let text = '';
  for (const attr of node.attrs ?? []) {
    const name = attr.prefix ? `${attr.prefix}:${attr.name}` : attr.name;
    text += ` ${name}="${escapeText(attr.value, xml).replaceAll('"', '&quot;')}"`;
  }
  return text;
}

function escapeText(text: string, xml: boolean): string {
  if (!/[&<>\u00a0]/.test(text)) return text;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  // XML has no entity `nbsp`.
  return xml ? escaped : escaped.replaceAll('\u00a0', '&nbsp;');
}
