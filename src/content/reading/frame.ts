import { attributeOf, type TreeNode } from '../document/page-tree.ts';
import { COMMENT_WORDS, type FrameContext, type FrameReason, frameReason } from './frame-rules.ts';
import type { Outline } from './outline.ts';

/** What holds more of the sentences of the page is never left out, whatever it is called. */
const MOST_PROSE = 0.4;
/** The same for all its text, unless that is links. */
const MOST_TEXT = 0.4;
const FORM_PROSE = 200;
const HIDDEN_INPUTS = new Set(['hidden', 'submit', 'button', 'image', 'reset', 'checkbox', 'radio']);

/** The elements of the frame, the outermost ones, each with the reason in a word. */
export function findFrame(outline: Outline, context: FrameContext): Map<TreeNode, string> {
  const { nodes, end, prose, text, linked } = outline;
  const frame = new Map<TreeNode, string>();
  /** Where comments are the content, the name means nothing inside of them. */
  let commentsEnd = 0;
  const contentHeaders = contentRanges(outline);
  for (let n = 1; n < nodes.length; n++) {
    const node = nodes[n]!;
    const reason =
      frameReason(node, context) ?? (node.tagName === 'form' ? formReason(outline, n) : null) ??
      (node.tagName === 'header' && !contentHeaders(n) ? HEADER : null);
    if (reason === null && isConsentLayer(outline, n)) {
      frame.set(node, 'consent');
      n = end[n]! - 1;
      continue;
    }
    if (reason === null) continue;
    const { by, what } = reason;
    if (what === 'aria-hidden' && prose[n]! > 0) continue;
    if (what === 'nav' && prose[n]! > 0.6 * text[n]!) continue;
    if (prose[n]! > MOST_PROSE * prose[0]! && !(what === 'reviews' && prose[n]! < 0.9 * prose[0]!)) {
      if (COMMENT_WORDS.has(what)) commentsEnd = Math.max(commentsEnd, end[n]!);
      continue;
    }
    if (COMMENT_WORDS.has(what) && n < commentsEnd) continue;
    if (by === 'name' && what !== 'hidden' && text[n]! > MOST_TEXT * text[0]! && (linked[n]! < 0.8 * text[n]! || what === 'pagination')) continue;
    frame.set(node, what);
    n = end[n]! - 1;
  }
  return frame;
}

const CONSENT_TEXT = 8000;

/** A layer that asks for consent: it is about cookies, and it has buttons. */
function isConsentLayer({ nodes, end, text, cookies, prose }: Outline, index: number): boolean {
  if (cookies[index]! < 2 || text[index]! > CONSENT_TEXT || cookies[index]! * 250 < text[index]! || prose[index] === 0) return false;
  if (text[index]! > 0.9 * text[0]!) return false;
  let buttons = 0;
  for (let n = index + 1; n < end[index]!; n++) {
    const node = nodes[n]!;
    if (node.tagName === 'h1' || node.tagName === 'main') return false;
    if (node.tagName === 'button' || node.tagName === 'input' || attributeOf(node, 'role') === 'button' || (node.tagName === 'a' && text[n]! > 0 && text[n]! < 30)) buttons++;
  }
  return buttons > 0;
}

const HEADER: FrameReason = { by: 'markup', what: 'header' };

/** Whether an element stands inside of `main` or an `article`: its header is that of the content. */
function contentRanges({ nodes, end, prose }: Outline): (index: number) => boolean {
  const inside = new Uint8Array(nodes.length);
  for (let n = 0; n < nodes.length; n++) {
    const node = nodes[n]!;
    if (node.tagName !== 'main' && node.tagName !== 'article' && attributeOf(node, 'role') !== 'main') continue;
    if (prose[n]! < 0.3 * prose[0]!) continue;
    inside.fill(1, n, end[n]!);
    n = end[n]! - 1;
  }
  return (index) => inside[index] === 1;
}

/** A form is a control if it asks for text, unless it is wrapped around the content. */
function formReason({ nodes, end, prose }: Outline, index: number): FrameReason | null {
  if (prose[index]! >= FORM_PROSE) return null;
  for (let n = index + 1; n < end[index]!; n++) {
    const node = nodes[n]!;
    const isField =
      node.tagName === 'textarea' || node.tagName === 'select' ||
      (node.tagName === 'input' && !HIDDEN_INPUTS.has(attributeOf(node, 'type')?.toLowerCase() ?? 'text'));
    if (isField) return { by: 'markup', what: 'form' };
  }
  return null;
}
