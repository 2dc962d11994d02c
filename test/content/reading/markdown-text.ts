import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { parseHtml } from '../../../src/content/document/parse-page.ts';
import { type ParsedPage, toParsedPage } from '../../../src/content/document/parsed-page.ts';
import { toMarkdown } from '../../../src/content/reading/markdown/page-markdown.ts';
import { DEFAULT_MARKDOWN, type MarkdownOptions } from '../../../src/domain/scraper-options.ts';

export const PAGE_URL = 'https://site.test/dir/page';

export function parsed(html: string): ParsedPage {
  return toParsedPage(parseHtml(html, true), PAGE_URL, null);
}

/** The Markdown of a whole page. */
export function markdownOf(html: string, options: Partial<MarkdownOptions> = {}): string {
  return toMarkdown(parsed(html), null, { ...DEFAULT_MARKDOWN, ...options }).markdown;
}

/** A node of the tree of a Markdown parser. */
export interface MarkdownNode {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly MarkdownNode[];
  readonly [member: string]: unknown;
}

export function parseMarkdown(markdown: string): MarkdownNode {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return tree as unknown as MarkdownNode;
}

const INLINE = new Set(
  'text inlineCode emphasis strong delete link linkReference image imageReference break html footnoteReference'.split(
    ' ',
  ),
);

/** The text that a reader of the Markdown sees, white space folded. */
export function visibleMarkdown(markdown: string): string {
  const pieces: string[] = [];
  const open: (MarkdownNode | string)[] = [parseMarkdown(markdown)];
  while (open.length > 0) {
    const node = open.pop()!;
    if (typeof node === 'string') pieces.push(node);
    else {
      const { type, value, children = [] } = node;
      if (type === 'break' || (type === 'html' && value === '<br>')) pieces.push('\n');
      else if (value !== undefined && type !== 'html') pieces.push(value);
      const isBlock = !INLINE.has(type);
      if (isBlock) {
        pieces.push('\n');
        open.push('\n');
      }
      open.push(...[...children].reverse());
    }
  }
  return foldSpace(pieces.join(''));
}

export function foldSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
