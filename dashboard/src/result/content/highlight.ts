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

/** What is coloured alike, by the names in `code-text.module.css`. */
const highlighter = tagHighlighter([
  { tag: [tags.comment, tags.meta, tags.processingInstruction, tags.documentMeta], class: 'comment' },
  { tag: [tags.tagName, tags.keyword, tags.modifier, tags.operatorKeyword], class: 'keyword' },
  { tag: [tags.attributeName, tags.propertyName, tags.className], class: 'name' },
  { tag: [tags.string, tags.attributeValue, tags.regexp, tags.special(tags.string)], class: 'string' },
  { tag: [tags.number, tags.bool, tags.null, tags.unit, tags.color, tags.atom], class: 'number' },
  { tag: [tags.angleBracket, tags.punctuation, tags.operator, tags.bracket], class: 'mark' },
]);

/** A stretch of a text and its colour; '' is plain. */
export interface HighlightSpan {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
}

/** How long the parser works before it lets the page go on, and how long in all, in ms. */
const SLICE_MS = 8;
const PARSE_MAX_MS = 4_000;
/** How many coloured pieces there are at once; minified code has more, and is plain from there on. */
const MAX_SPANS = 10_000;

/** Reads a text as that language. The page stays alive meanwhile; null when it was stopped, or takes too long. */
export async function parseText(text: string, language: Language, signal: AbortSignal): Promise<Tree | null> {
  const parse = PARSERS[language].startParse(text);
  const giveUp = performance.now() + PARSE_MAX_MS;
  while (performance.now() < giveUp && !signal.aborted) {
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end) {
      const tree = parse.advance();
      if (tree !== null) return tree;
    }
    await yieldToBrowser();
  }
  return null;
}

/** Lets the browser do what is waiting: a message comes after it, without the pause that timers of a loop get. */
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

/** The stretches from one place to another, without gaps; all plain where the text is nested too deeply to be walked. */
export function highlightSpans(tree: Tree, from: number, to: number): readonly HighlightSpan[] {
  try {
    return collectSpans(tree, from, to);
  } catch (error) {
    // The walk is recursive, and the depth is the target's choice.
    if (error instanceof RangeError) return [{ from, to, kind: '' }];
    throw error;
  }
}

function collectSpans(tree: Tree, from: number, to: number): readonly HighlightSpan[] {
  const found: HighlightSpan[] = [];
  let done = from;
  const plain = (until: number) => {
    if (until > done) found.push({ from: done, to: until, kind: '' });
  };
  const put = (begin: number, end: number, kind: string) => {
    const start = Math.max(begin, done);
    const stop = Math.min(end, to);
    if (stop <= start || found.length >= MAX_SPANS) return;
    plain(start);
    found.push({ from: start, to: stop, kind });
    done = stop;
  };
  highlightTree(tree, highlighter, put, from, to);
  plain(to);
  return found;
}
