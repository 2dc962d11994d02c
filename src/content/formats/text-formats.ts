import type { ReadingRequest } from '../../domain/reading.ts';
import { DEFAULT_MARKDOWN, type Format } from '../../domain/scraper-options.ts';
import { parseHtml } from '../document/parse-page.ts';
import { toParsedPage } from '../document/parsed-page.ts';
import { truncateText } from '../document/visible-text.ts';
import { jsonOfText } from '../json/json-format.ts';
import { parseJsonDocuments } from '../json/json-path.ts';
import { modelTask, withFindings } from '../json/model-answer.ts';
import { readFeed } from '../reading/feed/feed.ts';
import { wholeParts } from '../reading/main/page-parts.ts';
import { cutMarkdown } from '../reading/markdown/cut-markdown.ts';
import { type FormatValue, MAX_CHARACTERS, markdownFormat } from './page-formats.ts';

const MARKDOWN_TYPES = new Set(['text/markdown', 'text/x-markdown']);

/** The value of a format of JSON or plain text, which has no elements: most formats have none. */
export function textFormat(format: Format, request: ReadingRequest, text: string): FormatValue {
  switch (format) {
    case 'text':
      return { value: truncateText(text, MAX_CHARACTERS), truncated: text.length > MAX_CHARACTERS };
    case 'markdown':
      return markdownOfText(request, text);
    case 'feed':
      return feedOf(request, text);
    case 'json': {
      if (request.findings !== undefined) {
        const { result, ungrounded } = withFindings(request.findings, request.json!);
        return { value: result, truncated: false, ungrounded };
      }
      const documents = request.kind === 'json' ? parseJsonDocuments(text) : null;
      const found = jsonOfText(text, documents, request.url, request.json!);
      const task =
        request.modelCharacters === undefined
          ? null
          : modelTask(text, request.json!, found, request.modelCharacters);
      return { value: { ...found, model: null }, truncated: false, modelTask: task };
    }
    default:
      return { value: null, truncated: false };
  }
}

function feedOf({ url }: ReadingRequest, text: string): FormatValue {
  const feed = readFeed(text, url, null);
  return { value: feed, truncated: feed?.truncated === true };
}

/** Markdown as it is; other text as browsers show it: preformatted. */
function markdownOfText({ essence, kind, markdown, url }: ReadingRequest, text: string): FormatValue {
  const options = markdown ?? DEFAULT_MARKDOWN;
  if (MARKDOWN_TYPES.has(essence)) {
    const maxChars = Math.min(options.maxChars ?? MAX_CHARACTERS, MAX_CHARACTERS);
    const { markdown: part, nextOffset } = cutMarkdown(text, options.contentOffset, maxChars);
    return { value: part, truncated: nextOffset !== null && maxChars !== options.maxChars, nextOffset };
  }
  if (text.trim() === '') return { value: '', truncated: false };
  const language = kind === 'json' ? ' class="language-json"' : '';
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  // The parser drops the first line break.
  const tree = parseHtml(`<pre>\n<code${language}>${escaped}</code></pre>`, false);
  const page = toParsedPage(tree, url, []);
  return markdownFormat(page, wholeParts(page), options);
}
