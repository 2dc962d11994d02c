import { type Static, Type } from 'typebox';
import { closed } from '../../domain/json-schema.ts';
import type { Problems } from '../../wire/schema/problems.ts';
import {
  furtherMembers,
  READING_ARGUMENTS,
  READING_REQUEST,
  REQUEST,
  type ReadingWish,
  readingMembers,
  readingWish,
  refuseActing,
  SCRAPER,
  type TextFormat,
  TIMEOUT,
  Url,
} from '../arguments.ts';
import { pieceOfText } from '../piece-of-text.ts';
import { factsOf, missedPage, type ScrapeAnswer, scrapeError } from '../scrape-answer.ts';
import { type ToolCall, tool } from '../tool.ts';
import { isSuccess, jsonOfReply, ownError, refusedResult, type ToolResult } from '../tool-result.ts';

/** How often a running scrape tells that it still runs, ms: clients give up calls that are silent. */
const TICK_MS = 2_000;

/** Runs `work`, and tells every two seconds how long it has taken. */
async function withTicks<T>({ progress }: ToolCall, seconds: number, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const tell = () => {
    const elapsed = Math.round((performance.now() - startedAt) / 1_000);
    progress(elapsed, seconds, elapsed === 0 ? 'The scrape begins' : `Scraping for ${elapsed} s`);
  };
  tell();
  const ticks = setInterval(tell, TICK_MS);
  try {
    return await work();
  } finally {
    clearInterval(ticks);
  }
}

/** Makes a scrape. @returns a `ToolResult` if it got no page */
async function scrapeWith(
  call: ToolCall,
  body: Readonly<Record<string, unknown>> & { readonly timeout_ms: number },
): Promise<{ readonly answer: ScrapeAnswer } | { readonly missed: ToolResult }> {
  const { callService, signal } = call;
  const path = '/api/v1/scrape/';
  const reply = await withTicks(call, body.timeout_ms / 1_000, () =>
    callService({ method: 'POST', path, body, signal }),
  );
  const answer = jsonOfReply<ScrapeAnswer>(reply);
  // Refused before a scrape began.
  if (answer?.router === undefined) return { missed: refusedResult(reply) };
  const missed = missedPage(answer);
  return missed === null ? { answer } : { missed };
}

/** The text of a format; null: the page does not have it. */
function textOfFormat(data: Readonly<Record<string, unknown>>, format: TextFormat): string | null {
  const value = data[format] ?? null;
  return typeof value === 'string' || value === null ? value : JSON.stringify(value, null, 1);
}

interface ReadPage {
  readonly answer: ScrapeAnswer;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Types whose text the formats give; of documents, that of the file. */
const HAS_TEXT =
  /^text\/|[/+](?:html|xml|json|xhtml)|javascript|pdf|msword|officedocument|opendocument|epub|rtf|ms-excel|csv/i;

/** Why there is no text, and what helps. */
function whyNoText({ id, headers, errors }: ScrapeAnswer, { format, onlyMainContent }: ReadingWish): string {
  const [error] = errors;
  if (error !== undefined) return `There is no ${format}: ${error.message}`;
  const type = headers['content-type']?.replace(/\s*;.*$/s, '') ?? null;
  if (type !== null && !HAS_TEXT.test(type)) {
    const picture = type.startsWith('image/') ? 'The tool screenshot shows it. ' : '';
    return `There is no ${format}: the content is of the type ${type}, which has no text. ${picture}GET /api/v1/scrape/${id}/content/ gives the bytes.`;
  }
  return onlyMainContent
    ? `The main content of the page has no ${format}. Try only_main_content: false, or the scraper browser, which runs the scripts of the page.`
    : `The page has no ${format}. Try the scraper browser, which runs the scripts of the page.`;
}

/** The result with a piece of the text of a page. An error status of the target is an error, but its page is given. */
function pageResult({ answer, data }: ReadPage, wish: ReadingWish, offset: number): ToolResult {
  const text = textOfFormat(data, wish.format);
  if (offset > 0 && offset >= (text?.length ?? 0))
    return ownError(
      'request.validation',
      `/content_offset ${offset} is beyond the end: the text of ${wish.format} has ${text?.length ?? 0} characters.`,
      '/content_offset',
    );
  const hasText = text !== null && text.trim() !== '';
  const piece = pieceOfText(text ?? '', offset, wish.maxChars);
  const facts = {
    ...factsOf(answer),
    format: wish.format,
    characters: text?.length ?? null,
    content_offset: offset,
    next_offset: piece.next,
    ...(hasText ? {} : { note: whyNoText(answer, wish) }),
    ...(piece.next === null
      ? {}
      : { more: `The rest: read with this scrape_id and content_offset ${piece.next}.` }),
  };
  return {
    facts,
    ...(hasText ? { foreignText: piece.text } : {}),
    ...(facts.outcome === 'target_error' ? { isError: true } : {}),
  };
}

const SCRAPE_ARGUMENTS = {
  url: Url,
  scraper: SCRAPER,
  timeout_ms: TIMEOUT,
  wait_for_selector: Type.Optional(
    Type.String({ description: 'Waits in a browser for what this CSS selector matches.' }),
  ),
  ...READING_ARGUMENTS,
};
const ScrapeArguments = closed({ ...SCRAPE_ARGUMENTS, request: READING_REQUEST });
const ActArguments = closed({
  ...SCRAPE_ARGUMENTS,
  request: Type.Optional({
    ...REQUEST,
    description:
      'What to do: `page_actions` in a browser, such as [{"type": "click", "selector": "#next"}], or `method` and `data`; and further members of a scrape request (POST /api/v1/scrape/).',
  }),
});

/** Options of a scrape that arguments set. */
const READING_OPTIONS = ['formats', 'only_main_content', 'json', 'return_content'];

function readScrape(args: Static<typeof ScrapeArguments>, problems: Problems) {
  const { url, scraper = 'auto', timeout_ms = 60_000, wait_for_selector } = args;
  const wish = readingWish(args, problems);
  const own = ['url', 'scraper', 'timeout_ms', 'wait_for_selector'];
  const { scraper_options: options, ...members } = furtherMembers(args, own, problems, READING_OPTIONS);
  const selector = wait_for_selector === undefined ? {} : { wait_for_selector };
  const scraper_options = {
    ...(options as object | undefined),
    ...readingMembers(wish),
    return_content: false,
  };
  return { body: { ...members, url, scraper, timeout_ms, ...selector, scraper_options }, wish };
}

const scrape = tool({
  name: 'scrape',
  title: 'Scrape a page',
  description:
    'Fetches a web page now and gives its main content as Markdown (or another format), cut at max_chars. A page behind a bot check is an error. The page is stored: `read` gives the rest or other formats by scrape_id without fetching again.',
  inputSchema: ScrapeArguments,
  annotations: { readOnlyHint: true, openWorldHint: true },
  read: (args, problems) => {
    const members = args as Static<typeof ScrapeArguments>;
    refuseActing(members, problems);
    return readScrape(members, problems);
  },
  run: scrapeAndRead,
});

/** The scrape, and its page as a result. */
async function scrapeAndRead(
  { body, wish }: ReturnType<typeof readScrape>,
  call: ToolCall,
): Promise<ToolResult> {
  const result = await scrapeWith(call, body);
  if ('missed' in result) return result.missed;
  return pageResult({ answer: result.answer, data: result.answer.scraper_data }, wish, 0);
}

const act = tool({
  name: 'act',
  title: 'Act on a page',
  description:
    'Clicks, types and sends forms on a web page, or sends a request with another method or a body, and gives the page afterwards as scrape does. May change something at the site. To read only, use scrape.',
  inputSchema: ActArguments,
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  read: (args, problems) => readScrape(args as Static<typeof ScrapeArguments>, problems),
  run: scrapeAndRead,
});

const ReadArguments = closed({
  scrape_id: Type.String({ description: 'Of an earlier scrape, or of an item of a job.' }),
  content_offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 0,
      description: '`next_offset` of the piece before, with the same format and only_main_content.',
    }),
  ),
  ...READING_ARGUMENTS,
});

/** Whether a format was read with the scrape, and not cut by the request. */
const hasWhole = (
  { scraper_data: data, router }: ScrapeAnswer,
  { format, onlyMainContent }: ReadingWish,
): boolean =>
  Object.hasOwn(data, format) &&
  Object.hasOwn(data, 'main') === onlyMainContent &&
  router?.warnings.some(({ code }) => code === 'content.more') === false;

/**
 * The data of a stored scrape: what was read when it was scraped, if that is the same format; otherwise the content is read
 * again.
 */
async function readStored(
  id: string,
  wish: ReadingWish,
  { callService, signal }: ToolCall,
): Promise<ReadPage | { readonly missed: ToolResult }> {
  const path = `/api/v1/scrape/${encodeURIComponent(id)}/`;
  const stored = await callService({ method: 'GET', path: `${path}?return_content=false`, signal });
  const answer = jsonOfReply<ScrapeAnswer>(stored);
  if (!isSuccess(stored) || answer === null) return { missed: refusedResult(stored) };
  if (answer.router === undefined)
    return { missed: ownError('record.no_content', 'The scrape has not ended yet.') };
  const missed = missedPage(answer);
  if (missed !== null) return { missed };
  const { scraper_data: data } = answer;
  if (wish.schema === null && hasWhole(answer, wish)) return { answer, data };
  const reply = await callService({
    method: 'POST',
    path: `${path}read/`,
    body: readingMembers(wish),
    signal,
  });
  const reading = jsonOfReply<Pick<ScrapeAnswer, 'scraper_data' | 'errors'>>(reply);
  if (!isSuccess(reply) || reading === null) return { missed: refusedResult(reply) };
  return { answer: { ...answer, errors: reading.errors }, data: reading.scraper_data };
}

const read = tool({
  name: 'read',
  title: 'Read a stored page',
  description:
    'Gives the next piece of an earlier scrape, or the page in another format, without fetching it again.',
  inputSchema: ReadArguments,
  annotations: { readOnlyHint: true, openWorldHint: false },
  read: (args, problems) => {
    const members = args as Static<typeof ReadArguments>;
    const { scrape_id: id, content_offset: offset = 0 } = members;
    return { id, offset, wish: readingWish(members, problems) };
  },
  run: async ({ id, offset, wish }, call) => {
    const page = await readStored(id, wish, call);
    return 'missed' in page ? page.missed : pageResult(page, wish, offset);
  },
});

/** Larger images are refused by models. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

const ScreenshotArguments = closed({
  url: Url,
  full_page: Type.Optional(Type.Boolean({ default: false, description: 'The whole page, not one screen.' })),
  selector: Type.Optional(Type.String({ description: 'Only the first element that this matches.' })),
  type: Type.Optional(Type.Enum(['png', 'jpeg', 'webp'], { default: 'png' })),
  timeout_ms: TIMEOUT,
  request: READING_REQUEST,
});

function readScreenshot(args: Static<typeof ScreenshotArguments>, problems: Problems) {
  const { url, full_page, selector, type = 'png', timeout_ms = 60_000 } = args;
  const members = furtherMembers(args, ['url', 'timeout_ms', 'screenshot'], problems, [
    'screenshot',
    'return_content',
  ]);
  const screenshot = {
    type,
    ...(full_page === undefined ? {} : { full_page }),
    ...(selector === undefined ? {} : { selector }),
  };
  const scraper_options = {
    ...(members.scraper_options as object | undefined),
    screenshot,
    return_content: false,
  };
  return { ...members, url, timeout_ms, screenshot: true, scraper_options };
}

const screenshot = tool({
  name: 'screenshot',
  title: 'Take a screenshot',
  description:
    'Opens a page in a browser and gives a picture of it. Pictures of more than 5 MiB are an error: take jpeg, or less of the page.',
  inputSchema: ScreenshotArguments,
  annotations: { readOnlyHint: true, openWorldHint: true },
  read: (args, problems) => {
    const members = args as Static<typeof ScreenshotArguments>;
    refuseActing(members, problems);
    return readScreenshot(members, problems);
  },
  run: async (body, call) => {
    const result = await scrapeWith(call, body);
    if ('missed' in result) return result.missed;
    const { answer } = result;
    if (answer.screenshot_url === null) return scrapeError(answer, answer.errors);
    const path = `/api/v1/scrape/${answer.id}/screenshot`;
    const picture = await call.callService({ method: 'GET', path, signal: call.signal });
    if (!isSuccess(picture)) return refusedResult(picture);
    const { length } = picture.body;
    if (length > MAX_IMAGE_BYTES)
      return ownError('screenshot.failed', `The picture has ${length} bytes: more than 5 MiB.`);
    const type = picture.headers['content-type'] ?? 'image/png';
    return {
      facts: factsOf(answer),
      image: { bytes: picture.body, type },
      ...(answer.router?.outcome === 'target_error' ? { isError: true } : {}),
    };
  },
});

const ExplainArguments = closed({ url: Url, scraper: SCRAPER, request: REQUEST });

const explain = tool({
  name: 'explain',
  title: 'Explain how a page would be scraped',
  description:
    'A dry run: which methods there are to scrape a page, what each is expected to cost and how likely it works, which is first, and why others are excluded. Nothing is fetched.',
  inputSchema: ExplainArguments,
  annotations: { readOnlyHint: true, openWorldHint: false },
  read: (args, problems) => {
    const members = args as Static<typeof ExplainArguments>;
    const { url, scraper = 'auto' } = members;
    const { router, ...request } = furtherMembers(members, ['url', 'scraper'], problems);
    const asked = typeof router === 'string' ? { sort: router } : (router as object | undefined);
    return { ...request, url, scraper, router: { ...asked, dry_run: true } };
  },
  run: async (body, { callService, signal }) => {
    const reply = await callService({ method: 'POST', path: '/api/v1/scrape/', body, signal });
    const answer = jsonOfReply<ScrapeAnswer>(reply);
    if (answer?.router === undefined) return refusedResult(reply);
    const { candidates = [], cost_unit, warnings } = answer.router;
    const first = candidates.find(({ selected }) => selected === true) ?? null;
    return { facts: { first, candidates, cost_unit, warnings, fetched: false } };
  },
});

export const PAGE_TOOLS = [scrape, act, read, screenshot, explain];
