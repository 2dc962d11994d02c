/** Markdown of a page or of a part of it: CommonMark 0.31 with the tables, tasks, strikethrough and footnotes of GFM. */
import { DEFAULT_MARKDOWN, type MarkdownOptions } from '../../../domain/scraper-options.ts';
import { toCleanHtml } from '../../document/clean-html.ts';
import type { ContentSelection } from '../../document/content-selection.ts';
import { htmlMetadata } from '../../document/page-metadata.ts';
import type { TreeNode } from '../../document/page-tree.ts';
import type { ParsedPage } from '../../document/parsed-page.ts';
import { visibleText } from '../../document/visible-text.ts';
import { BlockWriter } from './block-writer.ts';
import { escapeLineStart, escapeText } from './escape.ts';
import { surveySelection } from './survey.ts';
import { TreeReader } from './tree-reader.ts';
import { linkDestination } from './write-inline.ts';

export interface MarkdownPart {
  readonly markdown: string;
  /** Where the next part begins; null: this is the last one. */
  readonly nextOffset: number | null;
}

/** Longest part, in UTF-16 units: as long as other formats may be. */
const MAX_PART_LENGTH = 5 * 2 ** 20;
/** Limit of the Markdown of a page. Repeated cells and deep lists make it longer than its page. */
const MAX_LENGTH = 16 * 2 ** 20;

const NOTHING_EXCLUDED: ReadonlySet<TreeNode> = new Set();

/**
 * The Markdown of a selection; without one, of the whole page and the documents in its frames. The same page and options give
 * the same Markdown, so that it can be read in parts.
 */
export function toMarkdown(
  page: ParsedPage,
  selection: ContentSelection | null,
  options: MarkdownOptions = DEFAULT_MARKDOWN,
): MarkdownPart {
  const writer = new BlockWriter(MAX_LENGTH);
  const labels = new Map<string, number>();
  if (options.frontMatter) writer.write('other', frontMatter(page));
  if (selection !== null) writeSelection(writer, page, selection, options, labels);
  else
    for (const document of [page, ...page.frames]) {
      const { tree, plainXml } = document;
      if (plainXml) writeXml(writer, document);
      else
        writeSelection(writer, document, { roots: [tree.root], excluded: NOTHING_EXCLUDED }, options, labels);
    }
  if (labels.size > 0)
    writer.write(
      'other',
      [...labels].map(([url, label]) => `[${label}]: ${linkDestination(url)}`),
    );
  return partOf(writer.text(), writer.cuts, options);
}

/** @param labels of the URLs, if links are references */
function writeSelection(
  writer: BlockWriter,
  { urls }: ParsedPage,
  { roots, excluded }: ContentSelection,
  options: MarkdownOptions,
  labels: Map<string, number>,
): void {
  const survey = surveySelection(roots, excluded, urls.page);
  const labelOf = (url: string) => {
    const label = labels.get(url) ?? labels.size + 1;
    labels.set(url, label);
    return String(label);
  };
  const complexTable = (table: TreeNode) =>
    // A blank line would end the HTML (CommonMark §4.6).
    toCleanHtml({ roots: [table], excluded }, urls.base, MAX_PART_LENGTH).html.replaceAll('\n', '&#10;');
  const { links, images } = options;
  const readerOptions = { links, images, complexTable: options.html ? complexTable : null };
  const references = links === 'reference' ? labelOf : null;
  new TreeReader(writer, survey, excluded, urls.base, readerOptions, references).read(roots);
}

/** Elements of XML have no meaning here: each is a paragraph. */
function writeXml(writer: BlockWriter, { tree }: ParsedPage): void {
  const context = {
    pairs: new Set(['*', '_', '~', '`']),
    inCell: false,
    hasFormulas: false,
    hasDefinitions: false,
    hasFootnotes: false,
  };
  for (const line of visibleText(tree.root, true, MAX_LENGTH).text.split('\n')) {
    const text = line.replace(/\s+/g, ' ').trim();
    if (text !== '')
      writer.write('paragraph', [
        escapeLineStart(escapeText(text, { before: '', after: '', inLink: false }, context), {
          isFirst: true,
        }),
      ]);
  }
}

/** YAML. A JSON string is also a string of YAML. */
function frontMatter(page: ParsedPage): string[] {
  if (page.plainXml) return ['---', `url: ${JSON.stringify(page.urls.page)}`, '---'];
  const { metadata } = htmlMetadata(page, { charset: null, contentType: '' });
  const { title, description, author, site_name, published, modified, language, image } = metadata;
  const values = {
    title,
    url: page.urls.page,
    description,
    author,
    site_name,
    published,
    modified,
    language,
    image,
  };
  const lines = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${JSON.stringify(value)}`],
  );
  return ['---', ...lines, '---'];
}

/** Cuts between blocks. Inside a block that is too long, it cuts at the end of a line, or else between words. */
function partOf(text: string, cuts: readonly number[], options: MarkdownOptions): MarkdownPart {
  const from = Math.min(options.contentOffset, text.length);
  const length = Math.max(1, Math.min(options.maxChars ?? MAX_PART_LENGTH, MAX_PART_LENGTH));
  const limit = from + length;
  if (text.length <= limit) return { markdown: text.slice(from), nextOffset: null };
  // A blank line between this part and the next one does not count.
  const cut = cuts.findLast(
    (index) => index > from && index <= limit + 2 && text.slice(from, index).trimEnd().length <= length,
  );
  const end = cut ?? endInBlock(text, from, limit);
  return { markdown: text.slice(from, end).trimEnd(), nextOffset: end };
}

function endInBlock(text: string, from: number, limit: number): number {
  for (const separator of ['\n', ' ']) {
    const index = text.lastIndexOf(separator, limit - 1);
    if (index > from) return index + 1;
  }
  const splitsPair = /[\ud800-\udbff]/.test(text[limit - 1]!);
  if (!splitsPair) return limit;
  return limit - 1 > from ? limit - 1 : limit + 1;
}
