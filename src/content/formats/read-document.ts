import { createRequire } from 'node:module';
import { runWithTimeLimit } from '../../base/time-limit.ts';
import { type Failure, failure, WARNINGS, type Warning } from '../../domain/failure.ts';
import type { ModelTask } from '../../domain/json-extraction.ts';
import {
  type DataMember,
  formatPointer,
  type Reading,
  type ReadingRequest,
  type RuleResult,
} from '../../domain/reading.ts';
import type { Format } from '../../domain/scraper-options.ts';
import { matchesAny } from '../document/css-selector.ts';
import { findLinks, findLinksInSource } from '../document/find-links.ts';
import type { UnreadJsonLd } from '../document/json-ld.ts';
import { MAX_LINKS } from '../document/page-links.ts';
import { parseHtml, parseXml } from '../document/parse-page.ts';
import { frameUrls, hasNoVisibleText, type ParsedPage, toParsedPage } from '../document/parsed-page.ts';
import { boxAround } from '../document/picture-box.ts';
import { parseJsonDocuments, selectsAny } from '../json/json-path.ts';
import { loadValidator } from '../json/validate-json.ts';
import { packedFeed, wantsUnpacking } from '../reading/feed/packed-feed.ts';
import { sitemapLinks } from '../reading/feed/sitemap-links.ts';
import type { MainContent } from '../reading/main/main-content.ts';
import { type MainParts, mainParts, wholeParts } from '../reading/main/page-parts.ts';
import { binaryReading, failedReading, mainPointer, notExtractableFailure } from './empty-reading.ts';
import { extractAll } from './extract.ts';
import { type FormatValue, isOfLinks, isOfMainContent, MAX_CHARACTERS, pageFormat } from './page-formats.ts';
import { textFormat } from './text-formats.ts';

/**
 * What readers load at first use. Loaded before any time limit runs: a package that is interrupted while it loads stays half loaded.
 * The validator is loaded before the pages that need it.
 */
export const PACKAGES_OF_READERS: readonly string[] = [
  'parse5',
  'htmlparser2',
  'css-select',
  'css-what',
  'jsonpath-rfc9535',
  'jsonpath-rfc9535/parser',
  're2js',
];
const loadPackage = createRequire(import.meta.url);
for (const name of PACKAGES_OF_READERS) loadPackage(name);

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
/** A page without a match has no frames. */
const FRAME_TAG = /<i?frame[\s>/]/i;
/** Time limit of each condition of `accept`: it only chooses between pages, so it must not use up the time for results. */
const MAX_ACCEPT_MS = 1000;

/** How long the thread may work on one page. */
export interface ReadingBudget {
  /** Milliseconds of processor time. Rules of the caller must also end within this time by the clock. */
  readonly ms: number;
  /** Milliseconds by the clock, which also passes while other threads use the processors: what the request has left. */
  readonly clockMs: number;
}

/** A step that was interrupted after this share of the processor time that was left has used it up. */
const USED_UP = 0.8;

/** What is left of a `ReadingBudget`. */
class RemainingTime {
  readonly #clockEnd: number;
  #cpuEnd: number;

  constructor({ ms, clockMs }: ReadingBudget) {
    this.#clockEnd = performance.now() + clockMs;
    this.#cpuEnd = threadCpuMs() + ms;
  }

  /** The smaller of both limits. For work that the caller defines: rules, selectors, paths. */
  forRules(): number {
    return Math.min(this.#clock(), this.#cpuEnd - threadCpuMs());
  }

  /**
   * Runs work that depends only on the page, and can be repeated. It must not fail because the machine is busy, and can be
   * interrupted only by the clock. So it begins again, with twice the time, if other threads had the processors.
   * @returns null also when the text is not JSON, or the page is nested too deeply
   */
  runPageStep<T>(work: () => T): T | null {
    for (let ms = this.forRules(); ; ms *= 2) {
      const [before, left] = [threadCpuMs(), this.forRules()];
      const limit = Math.min(ms, this.#clock());
      if (left < 1 || limit < 1) return null;
      const run = runLimited(limit, () => ({ value: work() }));
      if (run !== INTERRUPTED) return run?.value ?? null;
      const used = threadCpuMs() - before;
      if (used >= USED_UP * left) return null;
      this.#cpuEnd += used;
    }
  }

  /** Runs work that the caller defines. @returns null as `runPageStep` */
  runRule<T>(work: () => T, maxMs = Number.POSITIVE_INFINITY): T | null {
    const ms = Math.min(this.forRules(), maxMs);
    const run = ms < 1 ? INTERRUPTED : runLimited(ms, () => ({ value: work() }));
    return run === INTERRUPTED ? null : (run?.value ?? null);
  }

  #clock(): number {
    return this.#clockEnd - performance.now();
  }
}

/**
 * Reads everything that a request asks for from the text of a page, from one parsed tree. What is not done in
 * its time is null and told; the rest is there.
 * @param bytes UTF-8
 */
export function readDocument(request: ReadingRequest, bytes: Uint8Array, budget: ReadingBudget): Reading {
  const remaining = new RemainingTime(budget);
  const { kind, selector } = request;
  if (request.json !== null) loadValidator();
  if (request.finds === 'sitemap') return readSitemap(request, bytes, remaining);
  if (kind === 'binary') return readBytes(request, bytes, remaining);
  const text = utf8.decode(bytes);
  if (kind === 'json' || kind === 'text') return readText(request, text, remaining);
  const found = wantsOnlyLinks(request) ? findLinksInSource(text, request.url) : null;
  if (found !== null) return { ...failedReading(request, ''), found };
  const page = remaining.runPageStep(() => {
    const tree = kind === 'html' ? parseHtml(text, request.scripting) : parseXml(text);
    return toParsedPage(tree, request.url, request.frames);
  });
  if (page === null)
    return failedReading(request, 'The page takes too long to parse, or is nested too deeply.');
  const main = request.wantsMain ? findMain(page, request, remaining) : null;
  const formats = [
    ...createFormats(request, remaining, (format) => {
      const isOfMain = isOfMainContent(format, request);
      if (isOfMain && main === null) return null;
      return pageFormat(format, request, text, page, isOfMain ? partsOf(format, main!) : wholeParts(page));
    }),
    ...(request.wantsMain ? [mainMember(main, request)] : []),
  ];
  const data: DataMember[] = formats.map(({ member }) => member);
  const failures = formats.flatMap((format) => format.failure ?? []);
  const selectorMet =
    selector !== null &&
    remaining.runRule(
      () => [page, ...page.frames].some(({ tree }) => matchesAny(tree, selector)),
      MAX_ACCEPT_MS,
    ) === true;
  let rules: readonly RuleResult[] = [];
  if (request.extract !== null) {
    const extracted = extractAll(request.extract, page, () => remaining.forRules());
    data.push(['extract', JSON.stringify(extracted.values)]);
    failures.push(...extracted.failures);
    rules = extracted.results;
  }
  const warnings = formats.flatMap((format) => format.warnings ?? []);
  const unread = FRAME_TAG.test(text) ? remaining.runPageStep(() => unreadFrames(page)) : null;
  if (unread !== null) warnings.push(unread);
  const jsonPathMet = matchesJsonPath(request.jsonPath, text, remaining);
  const withTitles = request.finds === 'titled_page';
  const links = request.finds === null ? null : remaining.runPageStep(() => findLinks(page, withTitles));
  const blocks = main?.main?.site?.blocks ?? null;
  return {
    data,
    rules,
    failures,
    warnings,
    selectorMet,
    jsonPathMet,
    found: links === null ? null : { ...links, blocks },
    ...taskOf(formats),
  };
}

const partsOf = (format: Format, { parts, linkParts }: MainParts) => (isOfLinks(format) ? linkParts : parts);

/** Whether a crawl wants nothing of the page but its links. Frames are only known from a browser. */
function wantsOnlyLinks(request: ReadingRequest): boolean {
  const { kind, finds, formats, extract, wantsMain, selector, jsonPath, frames } = request;
  const others =
    formats.length > 0 || extract !== null || wantsMain || selector !== null || jsonPath !== null;
  return kind === 'html' && finds === 'page' && !others && frames === null;
}

/** Reads only the links of a sitemap. */
function readSitemap(request: ReadingRequest, bytes: Uint8Array, remaining: RemainingTime): Reading {
  const found = remaining.runPageStep(() => sitemapLinks(bytes, request.url));
  return { ...failedReading(request, ''), failures: [], found };
}

/** Reads what is no text. Some APIs send JSON as bytes, and sitemaps come packed. */
function readBytes(request: ReadingRequest, bytes: Uint8Array, remaining: RemainingTime): Reading {
  const { jsonPath, essence, url } = request;
  const jsonPathMet = jsonPath !== null && matchesJsonPath(jsonPath, utf8.decode(bytes), remaining);
  const reading = { ...binaryReading(request, essence), jsonPathMet };
  if (!wantsUnpacking(request, essence)) return reading;
  const formats = createFormats(request, remaining, (format) => {
    const feed = format === 'feed' ? packedFeed(bytes, url) : null;
    return { value: feed, truncated: feed?.truncated === true };
  });
  const failures = [...formats.flatMap((format) => format.failure ?? []), ...reading.failures];
  // The formats come first in the data of `binaryReading`. Here they are replaced.
  return {
    ...reading,
    data: [...formats.map(({ member }) => member), ...reading.data.slice(formats.length)],
    failures,
  };
}

/** Reads JSON and plain text. They have no elements, so most formats are null. */
function readText(request: ReadingRequest, text: string, remaining: RemainingTime): Reading {
  const formats = createFormats(request, remaining, (format) => textFormat(format, request, text));
  const data = formats.map(({ member }) => member);
  const failures = formats.flatMap((format) => format.failure ?? []);
  const warnings = formats.flatMap((format) => format.warnings ?? []);
  if (request.wantsMain) data.push(['main', 'null']);
  if (request.extract !== null) {
    data.push(['extract', 'null']);
    failures.push(notExtractableFailure(request, request.essence));
  }
  const jsonPathMet = matchesJsonPath(request.jsonPath, text, remaining);
  return {
    data,
    rules: [],
    failures,
    warnings,
    selectorMet: false,
    jsonPathMet,
    found: null,
    ...taskOf(formats),
  };
}

/** The task of the format that has one. */
function taskOf(formats: readonly FormatResult[]): Pick<Reading, 'modelTask'> {
  const modelTask = formats.find((format) => format.modelTask !== undefined)?.modelTask;
  return modelTask === undefined ? {} : { modelTask };
}

/** Whether the path selects anything in the text, read as JSON whatever its declared type is. */
function matchesJsonPath(path: string | null, text: string, remaining: RemainingTime): boolean {
  if (path === null) return false;
  const documents = remaining.runPageStep(() => parseJsonDocuments(text));
  if (documents === null) return false;
  const search = () => documents.some((document) => selectsAny(document, path));
  return remaining.runRule(search, MAX_ACCEPT_MS) === true;
}

interface FormatResult {
  readonly member: DataMember;
  readonly failure?: Failure;
  readonly warnings?: readonly Warning[];
  readonly modelTask?: ModelTask;
}

/** @param create returns null if the main content, which the format needs, was not found in time */
function createFormats(
  request: ReadingRequest,
  remaining: RemainingTime,
  create: (format: Format) => FormatValue | null,
): FormatResult[] {
  return request.formats.map((format, index) => {
    const result = remaining.runPageStep(() => {
      const created = create(format);
      return created === null ? null : { json: JSON.stringify(created.value), ...created };
    });
    const pointer = formatPointer(request, index);
    if (result === null) {
      const why = `\`${format}\` takes too long to create for this page.`;
      return { member: [format, 'null'], failure: failure('extract.failed', why, { pointer }) };
    }
    const {
      json,
      truncated,
      unread = [],
      nextOffset = null,
      modelTask: task = null,
      ungrounded = [],
    } = result;
    return {
      member: [format, json],
      ...(truncated ? { failure: truncatedFailure(format, pointer) } : {}),
      warnings: [
        ...(unread.length > 0 ? [unreadJsonLd(unread, pointer)] : []),
        ...(nextOffset === null ? [] : [moreContent(nextOffset, pointer)]),
        ...(ungrounded.length === 0 ? [] : [ungroundedValues(ungrounded, pointer)]),
      ],
      ...(task === null ? {} : { modelTask: task }),
    };
  });
}

/** @returns null: it takes too long */
function findMain(page: ParsedPage, request: ReadingRequest, remaining: RemainingTime): MainParts | null {
  const { mainContent } = request;
  const bySelectors = mainContent.include.length + mainContent.exclude.length > 0;
  const find = () => mainParts(page, mainContent);
  return bySelectors ? remaining.runRule(find) : remaining.runPageStep(find);
}

function mainMember(found: MainParts | null, request: ReadingRequest): FormatResult {
  if (found !== null)
    return { member: ['main', JSON.stringify(found.main === null ? null : mainJson(found.main, request))] };
  const why = 'The main content takes too long to find in this page.';
  return {
    member: ['main', 'null'],
    failure: failure('extract.failed', why, { pointer: mainPointer(request) }),
  };
}

/** `scraper_data.main`. */
function mainJson(main: MainContent, { elementBoxes = [] }: ReadingRequest) {
  const { kind, confidence, selector, shareOfText, method, site, roots } = main;
  return {
    kind,
    confidence: rounded(confidence),
    selector,
    share_of_text: rounded(shareOfText),
    method,
    box: boxAround(roots, elementBoxes),
    ...(site === null ? {} : { boilerplate: site.leftOut }),
  };
}

const rounded = (share: number): number => Math.round(share * 100) / 100;

function ungroundedValues(pointers: readonly string[], pointer: string): Warning {
  const message = `${pointers.length} × ${WARNINGS['extract.ungrounded']}`;
  return { code: 'extract.ungrounded', message, pointer, details: { pointers: pointers.slice(0, 100) } };
}

function moreContent(offset: number, pointer: string): Warning {
  return {
    code: 'content.more',
    message: WARNINGS['content.more'],
    pointer,
    details: { content_offset: offset },
  };
}

function unreadJsonLd(blocks: readonly UnreadJsonLd[], pointer: string): Warning {
  const message = `${blocks.length} × ${WARNINGS['json_ld.unread']}`;
  return { code: 'json_ld.unread', message, pointer, details: { blocks } };
}

/** A warning if the page consists of frames only and none of them was read. */
function unreadFrames(page: ParsedPage): Warning | null {
  const urls = page.plainXml ? [] : frameUrls(page);
  if (urls.length === 0 || ![page, ...page.frames].every(hasNoVisibleText)) return null;
  return { code: 'frames.unread', message: WARNINGS['frames.unread'], details: { urls } };
}

function truncatedFailure(format: Format, pointer: string): Failure {
  const limit = LIMITS[format] ?? `${MAX_CHARACTERS} characters`;
  return failure('content.truncated', `\`${format}\` is truncated at ${limit}.`, { pointer });
}

const LIMITS: Partial<Record<Format, string>> = {
  links: `${MAX_LINKS} links`,
  images: 'the limit of images',
  feed: 'the limit of entries',
};

const INTERRUPTED = Symbol('interrupted');

/** @returns null: the text is not JSON, or the page is nested too deeply */
function runLimited<T>(ms: number, work: () => T): T | null | typeof INTERRUPTED {
  try {
    const run = runWithTimeLimit(ms, work);
    return run === null ? INTERRUPTED : run.value;
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Processor time that this thread has used so far. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
