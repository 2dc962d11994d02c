import type { ElementBox } from './captures.ts';
import type { Failure, Warning } from './failure.ts';
import type { FoundLinks, LinkSource } from './found-links.ts';
import type { ModelFindings, ModelTask } from './json-extraction.ts';
import type { ScraperOptions } from './scraper-options.ts';
import type { Task } from './task.ts';

/**
 * Memory for reading a page, in bytes for each byte of its body: a copy, a string, and the parsed page, which usually
 * takes ten (measured). The heap limit of the reading thread ends the reading of a page that takes more.
 */
export const READING_MEMORY_FACTOR = 12;

/** The document in a frame of a page. */
export interface FrameDocument {
  /** Base of its relative URLs, unless it has a `base` element. */
  readonly url: string;
  readonly html: string;
}

/** The options that say what is read from a page. */
export type ReadingOptions = Pick<
  ScraperOptions,
  'formats' | 'extract' | 'onlyMainContent' | 'mainContent' | 'markdown' | 'json'
>;

/** Whether the main content of the page is searched for. */
export const wantsMainContent = ({ formats, onlyMainContent, mainContent }: ReadingOptions): boolean =>
  onlyMainContent ||
  formats.includes('main_html') ||
  mainContent.include.length > 0 ||
  mainContent.exclude.length > 0 ||
  mainContent.commonBlocks !== null ||
  mainContent.linksFrom === 'page';

/** Whether the options ask for anything that is read from a page. */
export const wantsReading = (options: ReadingOptions): boolean =>
  options.formats.length > 0 ||
  options.extract !== null ||
  options.markdown !== null ||
  options.json !== null ||
  wantsMainContent(options);

/** Whether the task needs the parsed page: for its options, or for conditions of `router.accept`. */
export function needsReading({ options, router, finds }: Task): boolean {
  const { accept } = router;
  return (
    wantsReading(options) ||
    finds !== null ||
    (accept !== null && (accept.selector !== null || accept.jsonPath !== null))
  );
}

/** What a caller wants to be read from a page. */
export interface ReadingTargets extends ReadingOptions {
  /** Whether the main content is searched for, and described in `main`. */
  readonly wantsMain: boolean;
  /** JSON pointer of the object of the request that has the options. */
  readonly pointer: '/scraper_options' | '';
}

export function readingTargets(options: ReadingOptions, pointer: ReadingTargets['pointer']): ReadingTargets {
  const { formats, extract, onlyMainContent, mainContent, markdown, json } = options;
  const asked = (['markdown', 'json'] as const).filter((format) => options[format] !== null);
  return {
    // Options for `markdown` and `json` ask for the format.
    formats: asked.length === 0 ? formats : [...new Set([...formats, ...asked])],
    extract,
    onlyMainContent,
    mainContent,
    markdown,
    json,
    wantsMain: wantsMainContent(options),
    pointer,
  };
}

/** JSON pointer of the member that asks for the format with this index. */
export function formatPointer(targets: ReadingTargets, index: number): string {
  const { formats, pointer } = targets;
  const format = formats[index];
  return (format === 'markdown' || format === 'json') && targets[format] !== null
    ? `${pointer}/${format}`
    : `${pointer}/formats/${index}`;
}

/** What to read from the text of a page. Plain data, like `Reading`, because both are sent between threads. */
export interface ReadingRequest extends ReadingTargets {
  /** The parser to use. */
  readonly kind: 'html' | 'xml' | 'json' | 'text' | 'binary';
  /** `type/subtype`, lower-case. */
  readonly essence: string;
  /** Encoding that the body had; null: unknown. */
  readonly charset: string | null;
  /** Base of relative URLs. */
  readonly url: string;
  /** The scripting flag of the HTML parser: true, if a browser ran the scripts. `noscript` then contains text. */
  readonly scripting: boolean;
  /** Documents in frames of the page; null: no browser read them. */
  readonly frames: readonly FrameDocument[] | null;
  /** Where elements are in the screenshot; absent: unknown. */
  readonly elementBoxes?: readonly ElementBox[];
  /** Of `router.accept`: CSS, or null. */
  readonly selector: string | null;
  /** Of `router.accept`: JSONPath, or null. */
  readonly jsonPath: string | null;
  /** How many characters of the page a model may read for `json`; absent: there is none. */
  readonly modelCharacters?: number;
  /** What the model found in this text, which is that of its task. */
  readonly findings?: ModelFindings;
  /** What to find links in; null: links are not searched for. */
  readonly finds: LinkSource | null;
}

/** A member of `scraper_data`, its value as JSON text. */
export type DataMember = readonly [name: string, json: string];

/** Length of all values, in UTF-16 code units. */
export function dataLength(data: readonly DataMember[]): number {
  let length = 0;
  for (const [, json] of data) length += json.length;
  return length;
}

/** Whether a rule of `extract` found anything on a page. */
export interface RuleResult {
  /** That of the rule, see `ExtractRule`. */
  readonly pointer: string;
  readonly found: boolean;
}

export interface Reading {
  /** The requested formats, `extract` and `main`. */
  readonly data: readonly DataMember[];
  /** The rules of `extract` that were applied, nested ones included, without those that failed. */
  readonly rules: readonly RuleResult[];
  /** Why members of `data` are missing or incomplete: `extract.failed`, `content.truncated`. */
  readonly failures: readonly Failure[];
  /** Parts of the page that could not be read. */
  readonly warnings: readonly Warning[];
  /** Whether an element matches; false too if there is no selector, it took too long, or `kind` has no elements. */
  readonly selectorMet: boolean;
  readonly jsonPathMet: boolean;
  /** What a model is to look for; absent: nothing. */
  readonly modelTask?: ModelTask;
  /** null: they were not asked for, or the page could not be read. */
  readonly found: FoundLinks | null;
}
