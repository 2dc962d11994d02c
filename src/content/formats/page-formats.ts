import type { JsonOptions, ModelTask } from '../../domain/json-extraction.ts';
import type { ReadingRequest } from '../../domain/reading.ts';
import { DEFAULT_MARKDOWN, type Format, type MarkdownOptions } from '../../domain/scraper-options.ts';
import { toCleanHtml } from '../document/clean-html.ts';
import type { UnreadJsonLd } from '../document/json-ld.ts';
import { type PageImage, pageImages } from '../document/page-images.ts';
import { pageLinks } from '../document/page-links.ts';
import { htmlMetadata, xmlMetadata } from '../document/page-metadata.ts';
import type { PagePart } from '../document/page-part.ts';
import type { ParsedPage } from '../document/parsed-page.ts';
import { serializeSelection } from '../document/serialize.ts';
import { selectionText, truncateText, type VisibleText, visibleText } from '../document/visible-text.ts';
import { wholePage } from '../document/visit-elements.ts';
import { jsonOfPage } from '../json/json-format.ts';
import { modelTask } from '../json/model-answer.ts';
import { readFeed } from '../reading/feed/feed.ts';
import { cutMarkdown } from '../reading/markdown/cut-markdown.ts';
import { toMarkdown } from '../reading/markdown/page-markdown.ts';
import { structuredData } from '../reading/structured/structured.ts';

/** Limit of `html`, `text`, `main_html` and `markdown`, in UTF-16 units. */
export const MAX_CHARACTERS = 5 * 2 ** 20;

/** The value of a format. */
export interface FormatValue {
  /** null: a page of this kind has none. */
  readonly value: unknown;
  /** The value is not complete. */
  readonly truncated: boolean;
  readonly unread?: readonly UnreadJsonLd[];
  /** Where the rest of the Markdown begins; null: there is none. */
  readonly nextOffset?: number | null;
  readonly modelTask?: ModelTask | null;
  /** Values of the model that do not stand in the page. */
  readonly ungrounded?: readonly string[];
}

const NONE: FormatValue = { value: null, truncated: false };

export const isOfLinks = (format: Format): boolean => format === 'links' || format === 'images';

/** Whether the format is read from the main content, or from the page without its frame. */
export const isOfMainContent = (
  format: Format,
  { onlyMainContent, mainContent: { linksFrom } }: ReadingRequest,
): boolean =>
  format === 'main_html' ||
  (onlyMainContent && format !== 'feed') ||
  (linksFrom === 'page' && isOfLinks(format));

/**
 * The value of one format.
 * @param text the source of the whole page
 * @param parts the parts of the page that the format is read from; not empty
 */
export function pageFormat(
  format: Format,
  request: ReadingRequest,
  text: string,
  page: ParsedPage,
  parts: readonly PagePart[],
): FormatValue {
  switch (format) {
    case 'html':
      return page.plainXml ? NONE : htmlOf(text, parts);
    case 'text':
      return textOf(parts);
    case 'links': {
      const { links, truncated } = pageLinks(parts);
      return { value: links, truncated };
    }
    case 'metadata': {
      const message = { charset: request.charset, contentType: request.essence };
      if (page.plainXml) return { value: xmlMetadata(page, message), truncated: false };
      const { metadata, unread } = htmlMetadata(page, message, selectionOf(page, parts));
      return { value: metadata, truncated: false, unread };
    }
    case 'markdown':
      return markdownFormat(page, parts, request.markdown ?? DEFAULT_MARKDOWN);
    case 'main_html':
      return page.plainXml ? NONE : mainHtmlOf(parts);
    case 'structured': {
      if (page.plainXml) return NONE;
      const { structured, unread } = structuredData(page, selectionOf(page, parts));
      return { value: structured, truncated: false, unread };
    }
    case 'images':
      return page.plainXml ? NONE : imagesOf(parts);
    case 'feed': {
      const feed = readFeed(text, request.url, page);
      return { value: feed, truncated: feed?.truncated === true };
    }
    case 'json':
      return jsonFormat(page, parts, request);
  }
}

const selectionOf = (page: ParsedPage, parts: readonly PagePart[]) =>
  parts.find(({ document }) => document === page)?.selection ?? null;

function jsonFormat(page: ParsedPage, parts: readonly PagePart[], request: ReadingRequest): FormatValue {
  const { modelCharacters } = request;
  const options = request.json!;
  const found = jsonOfPage(page, parts, options);
  const value = { ...found, model: null };
  if (modelCharacters === undefined) return { value, truncated: false };
  const text = modelText(page, parts, options.from);
  return { value, truncated: false, modelTask: modelTask(text, options, found, modelCharacters) };
}

function modelText(page: ParsedPage, parts: readonly PagePart[], from: JsonOptions['from']): string {
  if (from === 'text') return String(textOf(parts).value);
  if (from === 'html') {
    const roots = parts.map(({ document, selection }) => ({
      base: document.urls.base,
      selection: selection ?? wholePage(document),
    }));
    return roots.map(({ base, selection }) => toCleanHtml(selection, base, MAX_CHARACTERS).html).join('\n');
  }
  if (from === 'structured')
    return JSON.stringify(structuredData(page, selectionOf(page, parts)).structured, null, 1);
  return String(markdownFormat(page, parts, DEFAULT_MARKDOWN).value);
}

/** The source as it was received; or the main content of the page, serialized. Frames are not included. */
function htmlOf(text: string, parts: readonly PagePart[]): FormatValue {
  const { document, selection } = parts[0]!;
  if (selection === null)
    return { value: truncateText(text, MAX_CHARACTERS), truncated: text.length > MAX_CHARACTERS };
  const html = serializeSelection(selection, document.tree, MAX_CHARACTERS);
  return { value: html, truncated: html === null };
}

/** The texts of the parts as paragraphs. */
function textOf(parts: readonly PagePart[]): FormatValue {
  return joined(
    parts.map(({ document, selection }): VisibleText => {
      const { tree, plainXml } = document;
      return selection === null
        ? visibleText(tree.root, plainXml, MAX_CHARACTERS)
        : selectionText(selection, plainXml, MAX_CHARACTERS);
    }),
    '\n\n',
  );
}

function mainHtmlOf(parts: readonly PagePart[]): FormatValue {
  const texts = parts.flatMap(({ document, selection }): VisibleText[] => {
    if (selection === null) return [];
    const { html, truncated } = toCleanHtml(selection, document.urls.base, MAX_CHARACTERS);
    return [{ text: html, truncated }];
  });
  return joined(texts, '\n');
}

function joined(texts: readonly VisibleText[], separator: string): FormatValue {
  const all = texts
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join(separator);
  const truncated = all.length > MAX_CHARACTERS || texts.some((text) => text.truncated);
  return { value: truncateText(all, MAX_CHARACTERS), truncated };
}

function imagesOf(parts: readonly PagePart[]): FormatValue {
  const images = new Map<string, PageImage>();
  let truncated = false;
  for (const { document, selection } of parts) {
    const found = pageImages({ ...document, frames: [] }, selection);
    truncated ||= found.truncated;
    for (const image of found.images) if (!images.has(image.url)) images.set(image.url, image);
  }
  return { value: [...images.values()], truncated };
}

/** @param parts of the page, and of the documents in its frames */
export function markdownFormat(
  page: ParsedPage,
  parts: readonly PagePart[],
  options: MarkdownOptions,
): FormatValue {
  const maxChars = Math.min(options.maxChars ?? MAX_CHARACTERS, MAX_CHARACTERS);
  const isWhole = parts.every(({ selection }) => selection === null);
  const [first] = parts;
  const { markdown, nextOffset } =
    isWhole || parts.length === 1
      ? toMarkdown(isWhole ? page : first!.document, first!.selection, { ...options, maxChars })
      : cutMarkdown(markdownOfAll(parts, options), options.contentOffset, maxChars);
  return { value: markdown, truncated: nextOffset !== null && maxChars !== options.maxChars, nextOffset };
}

/** The Markdown of the parts, one after the other. */
function markdownOfAll(parts: readonly PagePart[], options: MarkdownOptions): string {
  const whole = { ...options, maxChars: MAX_CHARACTERS, contentOffset: 0 };
  return parts
    .map(({ document, selection }, n) => {
      const frontMatter = options.frontMatter && n === 0;
      return toMarkdown(document, selection, { ...whole, frontMatter }).markdown.trimEnd();
    })
    .filter((markdown) => markdown !== '')
    .join('\n\n');
}
