import { createRequire } from 'node:module';
import { type Failure, failure, WARNINGS, type Warning } from '../domain/failure.ts';
import type { Format } from '../domain/job.ts';
import type { DataMember, Reading, ReadingRequest } from '../domain/reading.ts';
import { matchesAny } from './document/css-selector.ts';
import { extractAll } from './document/extract.ts';
import type { UnreadJsonLd } from './document/json-ld.ts';
import { MAX_LINKS, pageLinks } from './document/page-links.ts';
import { htmlMetadata, xmlMetadata } from './document/page-metadata.ts';
import { parseHtml, parseXml } from './document/parse-page.ts';
import { frameUrls, hasNoVisibleText, type ParsedPage, toParsedPage } from './document/parsed-page.ts';
import { truncateText, type VisibleText, visibleText } from './document/visible-text.ts';
import { binaryReading, FORMATS_POINTER, failedReading, notExtractableFailure } from './empty-reading.ts';
import { parseJsonDocuments, selectsAny } from './json-path.ts';
import { runWithTimeLimit } from './time-limit.ts';

// Before any limit of time holds: a package that is stopped while it loads stays half loaded.
const loadPackage = createRequire(import.meta.url);
for (const name of ['parse5', 'htmlparser2', 'css-select', 'jsonpath-rfc9535']) loadPackage(name);

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
/** Of `html` and of `text`, in UTF-16 units. */
export const MAX_CHARACTERS = 5 * 2 ** 20;
/** A page without it has no frames. */
const FRAME_TAG = /<i?frame[\s>/]/i;
/** What `accept` asks may take no longer, however much time there is: it is a question, not a result. */
const MAX_ACCEPT_MS = 1000;

/** How long reading may hold the thread that runs it. */
export interface ReadingBudget {
  /** Milliseconds of a processor. What a caller asks for by a rule gets as much by the clock. */
  readonly ms: number;
  /** Milliseconds by the clock, which also run while other threads have the processors. */
  readonly clockMs: number;
}

/**
 * Everything that is asked of the text of a page, from one parsed tree. `clockMs` is enforced; `ms` ends rules, and
 * is looked at before each step.
 * @param bytes UTF-8
 */
export function readDocument(
  ask: ReadingRequest,
  bytes: Uint8Array,
  { ms, clockMs }: ReadingBudget,
): Reading {
  const [end, usedBefore] = [performance.now() + clockMs, threadCpuMs()];
  const byClock = () => end - performance.now();
  const remaining = () => Math.min(byClock(), ms - (threadCpuMs() - usedBefore));
  /** For steps that take a page's own time: a busy machine does not make the page a bad one. */
  const clock = () => (remaining() < 1 ? 0 : byClock());
  const text = utf8.decode(bytes);
  const { kind } = ask;
  if (kind === 'binary') {
    const jsonPathMet = matchesJsonPath(ask.jsonPath, text, remaining, clock);
    return { ...binaryReading(ask, ask.essence), jsonPathMet };
  }
  if (kind === 'json' || kind === 'text') return readText(ask, text, remaining, clock);
  const facts = runLimited(clock(), () => {
    const tree = kind === 'html' ? parseHtml(text, ask.scripting) : parseXml(text);
    return toParsedPage(tree, ask.url, ask.frames);
  });
  if (facts === null) return failedReading(ask, 'The page takes too long to parse, or is nested too deeply.');
  const made = ask.formats.map((format, at) => createFormat(format, at, ask, text, facts, clock));
  const data: DataMember[] = made.map(({ member }) => member);
  const failures = made.flatMap((one) => one.failure ?? []);
  const { selector } = ask;
  const selectorMet =
    selector !== null &&
    runLimited(Math.min(remaining(), MAX_ACCEPT_MS), () =>
      [facts, ...facts.frames].some(({ tree }) => matchesAny(tree, selector)),
    ) === true;
  if (ask.extract !== null) {
    const extracted = extractAll(ask.extract, facts, remaining);
    data.push(['extract', JSON.stringify(extracted.values)]);
    failures.push(...extracted.failures);
  }
  const warnings = made.flatMap((one) => one.warning ?? []);
  const unread = FRAME_TAG.test(text) ? runLimited(clock(), () => unreadFrames(facts)) : null;
  if (unread !== null) warnings.push(unread);
  const jsonPathMet = matchesJsonPath(ask.jsonPath, text, remaining, clock);
  return { data, failures, warnings, selectorMet, jsonPathMet };
}

/** What has no elements: only `text` makes sense. */
function readText(ask: ReadingRequest, text: string, remaining: () => number, clock: () => number): Reading {
  const failures: Failure[] = [];
  const data = ask.formats.map((format, at): DataMember => {
    if (format !== 'text') return [format, 'null'];
    if (text.length > MAX_CHARACTERS) failures.push(truncatedFailure(format, at));
    return [format, JSON.stringify(truncateText(text, MAX_CHARACTERS))];
  });
  if (ask.extract !== null) {
    data.push(['extract', 'null']);
    failures.push(notExtractableFailure(ask.essence));
  }
  const jsonPathMet = matchesJsonPath(ask.jsonPath, text, remaining, clock);
  return { data, failures, warnings: [], selectorMet: false, jsonPathMet };
}

/** Whether the path selects anything in what the text holds as JSON, whatever its type says. */
function matchesJsonPath(
  path: string | null,
  text: string,
  remaining: () => number,
  clock: () => number,
): boolean {
  const documents = path === null ? null : runLimited(clock(), () => parseJsonDocuments(text));
  if (path === null || documents === null) return false;
  const look = () => documents.some((document) => selectsAny(document, path));
  return runLimited(Math.min(remaining(), MAX_ACCEPT_MS), look) === true;
}

interface FormatResult {
  readonly member: DataMember;
  readonly failure?: Failure;
  readonly warning?: Warning;
}

function createFormat(
  format: Format,
  at: number,
  ask: ReadingRequest,
  text: string,
  facts: ParsedPage,
  clock: () => number,
): FormatResult {
  const made = runLimited(clock(), () => {
    const { value, ...rest } = formatValue(format, ask, text, facts);
    return { json: JSON.stringify(value), ...rest };
  });
  const pointer = `${FORMATS_POINTER}/${at}`;
  if (made === null) {
    const why = `\`${format}\` takes too long to create for this page.`;
    return { member: [format, 'null'], failure: failure('extract.failed', why, { pointer }) };
  }
  const member: DataMember = [format, made.json];
  return {
    member,
    ...(made.cut ? { failure: truncatedFailure(format, at) } : {}),
    ...(made.unread?.length ? { warning: unreadJsonLd(made.unread, pointer) } : {}),
  };
}

function formatValue(
  format: Format,
  ask: ReadingRequest,
  text: string,
  facts: ParsedPage,
): { value: unknown; cut: boolean; unread?: readonly UnreadJsonLd[] } {
  const { plainXml } = facts;
  switch (format) {
    case 'html':
      if (plainXml) return { value: null, cut: false };
      return { value: truncateText(text, MAX_CHARACTERS), cut: text.length > MAX_CHARACTERS };
    case 'text': {
      const seen = pageText(facts);
      return { value: seen.text, cut: seen.truncated };
    }
    case 'links': {
      const { links, truncated } = pageLinks(facts);
      return { value: links, cut: truncated };
    }
    case 'metadata': {
      const message = { charset: ask.charset, contentType: ask.essence };
      if (plainXml) return { value: xmlMetadata(facts, message), cut: false };
      const { metadata, unread } = htmlMetadata(facts, message);
      return { value: metadata, cut: false, unread };
    }
  }
}

/** The page's own, and each frame's as a paragraph. */
function pageText({ tree, plainXml, frames }: ParsedPage): VisibleText {
  const texts = [{ tree, plainXml }, ...frames].map((one) =>
    visibleText(one.tree.root, one.plainXml, MAX_CHARACTERS),
  );
  const all = texts
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n\n');
  const truncated = all.length > MAX_CHARACTERS || texts.some((one) => one.truncated);
  return { text: truncateText(all, MAX_CHARACTERS), truncated };
}

function unreadJsonLd(blocks: readonly UnreadJsonLd[], pointer: string): Warning {
  const message = `${blocks.length} × ${WARNINGS['json_ld.unread']}`;
  return { code: 'json_ld.unread', message, pointer, details: { blocks } };
}

/** The page is nothing but frames, and nothing of them was read. */
function unreadFrames(facts: ParsedPage): Warning | null {
  const urls = facts.plainXml ? [] : frameUrls(facts);
  if (urls.length === 0 || ![facts, ...facts.frames].every(hasNoVisibleText)) return null;
  return { code: 'frames.unread', message: WARNINGS['frames.unread'], details: { urls } };
}

function truncatedFailure(format: Format, at: number): Failure {
  const most = format === 'links' ? `${MAX_LINKS} links` : `${MAX_CHARACTERS} characters`;
  return failure('content.truncated', `\`${format}\` is cut at ${most}.`, {
    pointer: `${FORMATS_POINTER}/${at}`,
  });
}

/** null also when the time is up, when the text is no JSON, or when it is nested too deeply. */
function runLimited<T>(ms: number, work: () => T): T | null {
  if (ms < 1) return null;
  try {
    return runWithTimeLimit(ms, work)?.value ?? null;
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** What this thread has used of processors so far. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
