import { createRequire } from 'node:module';
import { type Failure, failure, WARNINGS, type Warning } from '../domain/failure.ts';
import type { Format } from '../domain/job.ts';
import type { DataMember, Reading, ReadingAsk } from '../domain/reading.ts';
import { matchesAny } from './css-selector.ts';
import { extractAll } from './extract/extract-all.ts';
import { htmlMetadata } from './formats/html-metadata.ts';
import type { UnreadBlock } from './formats/json-ld.ts';
import { frameUrls, type PageFacts, pageFacts, showsNothing } from './formats/page-facts.ts';
import { MOST_LINKS, pageLinks } from './formats/page-links.ts';
import { wholeCharacters } from './formats/text-lines.ts';
import { type VisibleText, visibleText } from './formats/visible-text.ts';
import { xmlMetadata } from './formats/xml-metadata.ts';
import { selectsAny } from './json-path.ts';
import { jsonDocuments } from './json-text.ts';
import { FORMATS_POINTER, failedReading, notExtractable, readingOfBytes } from './no-reading.ts';
import { parseHtml, parseXml } from './parse-page.ts';
import { withinTime } from './time-limit.ts';

// Before any limit of time holds: a package that is stopped while it loads stays half loaded.
const load = createRequire(import.meta.url);
for (const name of ['parse5', 'htmlparser2', 'css-select', 'jsonpath-rfc9535']) load(name);

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
/** Of `html` and of `text`, in UTF-16 units. */
export const MOST_CHARACTERS = 5 * 2 ** 20;
/** A page without it has no frames. */
const FRAMES = /<i?frame[\s>/]/i;
/** What `accept` asks may take no longer, however much time there is: it is a question, not a result. */
const MOST_ACCEPT_MS = 1000;

/** How long reading may hold the thread that runs it. */
export interface ReadingTime {
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
export function readDocument(ask: ReadingAsk, bytes: Uint8Array, { ms, clockMs }: ReadingTime): Reading {
  const [end, usedBefore] = [performance.now() + clockMs, cpuMs()];
  const byClock = () => end - performance.now();
  const remaining = () => Math.min(byClock(), ms - (cpuMs() - usedBefore));
  /** For steps that take a page's own time: a busy machine does not make the page a bad one. */
  const clock = () => (remaining() < 1 ? 0 : byClock());
  const text = utf8.decode(bytes);
  const { kind } = ask;
  if (kind === 'binary') {
    const jsonPathMet = meetsPath(ask.jsonPath, text, remaining, clock);
    return { ...readingOfBytes(ask, ask.essence), jsonPathMet };
  }
  if (kind === 'json' || kind === 'text') return readText(ask, text, remaining, clock);
  const facts = held(clock(), () => {
    const tree = kind === 'html' ? parseHtml(text, ask.scripting) : parseXml(text);
    return pageFacts(tree, ask.url, ask.frames);
  });
  if (facts === null) return failedReading(ask, 'The page takes too long to parse, or is nested too deeply.');
  const made = ask.formats.map((format, at) => formatOf(format, at, ask, text, facts, clock));
  const data: DataMember[] = made.map(({ member }) => member);
  const failures = made.flatMap((one) => one.failure ?? []);
  const { selector } = ask;
  const selectorMet =
    selector !== null &&
    held(Math.min(remaining(), MOST_ACCEPT_MS), () =>
      [facts, ...facts.frames].some(({ tree }) => matchesAny(tree, selector)),
    ) === true;
  if (ask.extract !== null) {
    const extracted = extractAll(ask.extract, facts, remaining);
    data.push(['extract', JSON.stringify(extracted.values)]);
    failures.push(...extracted.failures);
  }
  const warnings = made.flatMap((one) => one.warning ?? []);
  const unread = FRAMES.test(text) ? held(clock(), () => unreadFrames(facts)) : null;
  if (unread !== null) warnings.push(unread);
  const jsonPathMet = meetsPath(ask.jsonPath, text, remaining, clock);
  return { data, failures, warnings, selectorMet, jsonPathMet };
}

/** What has no elements: only `text` makes sense. */
function readText(ask: ReadingAsk, text: string, remaining: () => number, clock: () => number): Reading {
  const failures: Failure[] = [];
  const data = ask.formats.map((format, at): DataMember => {
    if (format !== 'text') return [format, 'null'];
    if (text.length > MOST_CHARACTERS) failures.push(tooLong(format, at));
    return [format, JSON.stringify(wholeCharacters(text, MOST_CHARACTERS))];
  });
  if (ask.extract !== null) {
    data.push(['extract', 'null']);
    failures.push(notExtractable(ask.essence));
  }
  const jsonPathMet = meetsPath(ask.jsonPath, text, remaining, clock);
  return { data, failures, warnings: [], selectorMet: false, jsonPathMet };
}

/** Whether the path selects anything in what the text holds as JSON, whatever its type says. */
function meetsPath(path: string | null, text: string, remaining: () => number, clock: () => number): boolean {
  const documents = path === null ? null : held(clock(), () => jsonDocuments(text));
  if (path === null || documents === null) return false;
  const look = () => documents.some((document) => selectsAny(document, path));
  return held(Math.min(remaining(), MOST_ACCEPT_MS), look) === true;
}

interface Made {
  readonly member: DataMember;
  readonly failure?: Failure;
  readonly warning?: Warning;
}

function formatOf(
  format: Format,
  at: number,
  ask: ReadingAsk,
  text: string,
  facts: PageFacts,
  clock: () => number,
): Made {
  const made = held(clock(), () => {
    const { value, ...rest } = makeFormat(format, ask, text, facts);
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
    ...(made.cut ? { failure: tooLong(format, at) } : {}),
    ...(made.unread?.length ? { warning: unreadJsonLd(made.unread, pointer) } : {}),
  };
}

function makeFormat(
  format: Format,
  ask: ReadingAsk,
  text: string,
  facts: PageFacts,
): { value: unknown; cut: boolean; unread?: readonly UnreadBlock[] } {
  const { plainXml } = facts;
  switch (format) {
    case 'html':
      if (plainXml) return { value: null, cut: false };
      return { value: wholeCharacters(text, MOST_CHARACTERS), cut: text.length > MOST_CHARACTERS };
    case 'text': {
      const seen = textOf(facts);
      return { value: seen.text, cut: seen.cut };
    }
    case 'links': {
      const { links, cut } = pageLinks(facts);
      return { value: links, cut };
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
function textOf({ tree, plainXml, frames }: PageFacts): VisibleText {
  const texts = [{ tree, plainXml }, ...frames].map((one) =>
    visibleText(one.tree.root, one.plainXml, MOST_CHARACTERS),
  );
  const all = texts
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n\n');
  const cut = all.length > MOST_CHARACTERS || texts.some((one) => one.cut);
  return { text: wholeCharacters(all, MOST_CHARACTERS), cut };
}

function unreadJsonLd(blocks: readonly UnreadBlock[], pointer: string): Warning {
  const message = `${blocks.length} × ${WARNINGS['json_ld.unread']}`;
  return { code: 'json_ld.unread', message, pointer, details: { blocks } };
}

/** The page is nothing but frames, and nothing of them was read. */
function unreadFrames(facts: PageFacts): Warning | null {
  const urls = facts.plainXml ? [] : frameUrls(facts);
  if (urls.length === 0 || ![facts, ...facts.frames].every(showsNothing)) return null;
  return { code: 'frames.unread', message: WARNINGS['frames.unread'], details: { urls } };
}

function tooLong(format: Format, at: number): Failure {
  const most = format === 'links' ? `${MOST_LINKS} links` : `${MOST_CHARACTERS} characters`;
  return failure('content.truncated', `\`${format}\` is cut at ${most}.`, {
    pointer: `${FORMATS_POINTER}/${at}`,
  });
}

/** null also when the time is up, when the text is no JSON, or when it is nested too deeply. */
function held<T>(ms: number, work: () => T): T | null {
  if (ms < 1) return null;
  try {
    return withinTime(ms, work)?.value ?? null;
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** What this thread has used of processors so far. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
