import { attributeOf, type TreeNode } from '../document/page-tree.ts';
import { COMMENT_WORDS, type FrameContext, markupReason, nameReason } from './frame-rules.ts';
import type { Outline } from './outline.ts';

/** What holds more of the sentences of the page is never left out, whatever it is called. */
const MOST_PROSE = 0.4;
/** The same for all its text, unless that is links. */
const MOST_TEXT = 0.4;
const FORM_PROSE = 200;
const OTHER_INPUTS = new Set(['hidden', 'submit', 'button', 'image', 'reset', 'checkbox', 'radio']);

/** The frame by the markup: the outermost elements, each with the reason in a word. */
export function markupFrame(outline: Outline): Map<TreeNode, string> {
  const { nodes, end, prose, text } = outline;
  const frame = new Map<TreeNode, string>();
  const inContent = contentRanges(outline);
  for (let n = 1; n < nodes.length; n++) {
    const node = nodes[n]!;
    const what =
      markupReason(node) ??
      (node.tagName === 'header' && !inContent(n) ? 'header' : null) ??
      (node.tagName === 'form' && isControl(outline, n) ? 'form' : null) ??
      (isConsentLayer(outline, n) ? 'consent' : null);
    if (what === null) continue;
    if (what === 'aria-hidden' && prose[n]! > 0) continue;
    if (what === 'nav' && prose[n]! > 0.6 * text[n]!) continue;
    if (prose[n]! > MOST_PROSE * prose[0]!) continue;
    frame.set(node, what);
    n = end[n]! - 1;
  }
  return frame;
}

/** The frame by class names and ids. @param outline without the frame by the markup */
export function namedFrame(outline: Outline, context: FrameContext): Map<TreeNode, string> {
  const { nodes, end, prose, text, linked } = outline;
  const marked = new Map<
    string,
    { prose: number; text: number; linked: number; readonly elements: number[] }
  >();
  for (let n = 1; n < nodes.length; n++) {
    if (text[n] === 0) continue;
    const word = nameReason(nodes[n]!, context);
    if (word === null) continue;
    let sums = marked.get(word);
    if (sums === undefined) marked.set(word, (sums = { prose: 0, text: 0, linked: 0, elements: [] }));
    const last = sums.elements.at(-1);
    if (last !== undefined && n < end[last]!) {
      if (isMost(n)) continue;
      if (!isMost(last)) continue;
    } else {
      sums.prose += prose[n]!;
      sums.text += text[n]!;
      sums.linked += linked[n]!;
    }
    sums.elements.push(n);
  }
  const dropped: [number, string][] = [];
  for (const [word, sums] of marked) {
    // Where comments are the content, the name means nothing inside of them.
    if (COMMENT_WORDS.has(word) && sums.elements.some((n) => isMost(n))) continue;
    for (const n of sums.elements) if (!isMost(n, word)) dropped.push([n, word]);
  }
  dropped.sort(([a], [b]) => a - b);
  const frame = new Map<TreeNode, string>();
  let done = 0;
  for (const [n, word] of dropped) {
    if (n < done) continue;
    frame.set(nodes[n]!, word);
    done = end[n]!;
  }
  return frame;

  function isMost(n: number, word = ''): boolean {
    if (word === 'reviews') return prose[n]! > 0.9 * prose[0]!;
    return (
      prose[n]! > MOST_PROSE * prose[0]! ||
      (text[n]! > MOST_TEXT * text[0]! &&
        word !== 'hidden' &&
        (linked[n]! < 0.8 * text[n]! || word === 'pagination'))
    );
  }
}

const CONSENT_TEXT = 8000;

/** A layer that asks for consent: it is about cookies, and it has buttons. */
function isConsentLayer({ nodes, end, text, cookies, prose }: Outline, index: number): boolean {
  if (
    cookies[index]! < 2 ||
    text[index]! > CONSENT_TEXT ||
    cookies[index]! * 250 < text[index]! ||
    prose[index] === 0
  )
    return false;
  if (text[index]! > 0.9 * text[0]!) return false;
  let buttons = 0;
  for (let n = index + 1; n < end[index]!; n++) {
    const node = nodes[n]!;
    if (node.tagName === 'h1' || node.tagName === 'main') return false;
    if (
      node.tagName === 'button' ||
      node.tagName === 'input' ||
      attributeOf(node, 'role') === 'button' ||
      (node.tagName === 'a' && text[n]! > 0 && text[n]! < 30)
    )
      buttons++;
  }
  return buttons > 0;
}

/** Whether an element stands inside of `main` or an `article`: its header is that of the content. */
function contentRanges({ nodes, end, prose }: Outline): (index: number) => boolean {
  const inside = new Uint8Array(nodes.length);
  for (let n = 0; n < nodes.length; n++) {
    const node = nodes[n]!;
    if (node.tagName !== 'main' && node.tagName !== 'article' && attributeOf(node, 'role') !== 'main')
      continue;
    if (prose[n]! < 0.3 * prose[0]!) continue;
    inside.fill(1, n, end[n]!);
    n = end[n]! - 1;
  }
  return (index) => inside[index] === 1;
}

/** A form is a control if it asks for text, unless it is wrapped around the content. */
function isControl({ nodes, end, prose }: Outline, index: number): boolean {
  if (prose[index]! >= FORM_PROSE) return false;
  for (let n = index + 1; n < end[index]!; n++) {
    const node = nodes[n]!;
    if (node.tagName === 'textarea' || node.tagName === 'select') return true;
    const type = node.tagName === 'input' ? (attributeOf(node, 'type') ?? 'text') : null;
    if (type !== null && !OTHER_INPUTS.has(type.toLowerCase())) return true;
  }
  return false;
}
