import type { Parser, Tree } from '@lezer/common';
import { parser as css } from '@lezer/css';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import { configureNesting, parser as html } from '@lezer/html';
import { parser as javascript } from '@lezer/javascript';
import { parser as json } from '@lezer/json';
import { parser as xml } from '@lezer/xml';
import type { Language } from './content-kind.ts';

const nesting = configureNesting([
  { tag: 'script', parser: javascript },
  { tag: 'style', parser: css },
]);
const PARSERS: Readonly<Record<Language, Parser>> = {
  html: html.configure({ wrap: nesting }),
  json,
  xml,
  css,
  javascript,
};

/** Maps syntax tags to the class names in `code-text.module.css`. */
const highlighter = tagHighlighter([
  { tag: [tags.comment, tags.meta, tags.processingInstruction, tags.documentMeta], class: 'comment' },
  { tag: [tags.tagName, tags.keyword, tags.modifier, tags.operatorKeyword], class: 'keyword' },
  { tag: [tags.attributeName, tags.propertyName, tags.className], class: 'name' },
  { tag: [tags.string, tags.attributeValue, tags.regexp, tags.special(tags.string)], class: 'string' },
  { tag: [tags.number, tags.bool, tags.null, tags.unit, tags.color, tags.atom], class: 'number' },
  { tag: [tags.angleBracket, tags.punctuation, tags.operator, tags.bracket], class: 'mark' },
]);

/** A range of a text and its kind, which determines the color; '' is plain. */
export interface HighlightSpan {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
}

/** Time limits of the parser in ms: before it yields to the browser, and in total. */
const SLICE_MS = 8;
const PARSE_MAX_MS = 4_000;
/** Limit of colored ranges. The rest of a text with more ranges (minified code) is plain. */
const MAX_SPANS = 10_000;

/** Parses a text without blocking the page; null if it was aborted, or takes too long. */
export async function parseText(text: string, language: Language, signal: AbortSignal): Promise<Tree | null> {
  const parse = PARSERS[language].startParse(text);
  const deadline = performance.now() + PARSE_MAX_MS;
  while (performance.now() < deadline && !signal.aborted) {
    const sliceEnd = performance.now() + SLICE_MS;
    while (performance.now() < sliceEnd) {
      const tree = parse.advance();
      if (tree !== null) return tree;
    }
    await yieldToBrowser();
  }
  return null;
}

/** Lets the browser handle its pending tasks. A message has no minimum delay, unlike nested timers. */
function yieldToBrowser(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** The ranges between two positions, without gaps. All plain if the text is nested too deeply. */
export function highlightSpans(tree: Tree, from: number, to: number): readonly HighlightSpan[] {
  try {
    return collectSpans(tree, from, to);
  } catch (error) {
    // The traversal is recursive, and the target determines the depth.
    if (error instanceof RangeError) return [{ from, to, kind: '' }];
    throw error;
  }
}

function collectSpans(tree: Tree, from: number, to: number): readonly HighlightSpan[] {
  const spans: HighlightSpan[] = [];
  let covered = from;
  const addPlain = (until: number) => {
    if (until > covered) spans.push({ from: covered, to: until, kind: '' });
  };
  const addColored = (begin: number, end: number, kind: string) => {
    const start = Math.max(begin, covered);
    const stop = Math.min(end, to);
    if (stop <= start || spans.length >= MAX_SPANS) return;
    addPlain(start);
    spans.push({ from: start, to: stop, kind });
    covered = stop;
  };
  highlightTree(tree, highlighter, addColored, from, to);
  addPlain(to);
  return spans;
}
