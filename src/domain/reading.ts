import type { Failure, Warning } from './failure.ts';
import type { Job } from './job.ts';
import type { ExtractRule } from './page-action.ts';
import type { Format } from './scraper-options.ts';

/**
 * What reading takes beside the body, for each byte of it: a copy, a string, and the parsed page, which usually has ten
 * bytes a byte (measured). A page of which more is made is ended by the limit of the thread.
 */
export const READING_MEMORY_FACTOR = 12;

/** A document that a frame of a page shows. */
export interface FrameDocument {
  /** What its relative URLs are resolved against, where it does not say so itself. */
  readonly url: string;
  readonly html: string;
}

/** Whether anything is asked that only the parsed page can tell. */
export function needsReading({ options, router }: Job): boolean {
  const { accept } = router;
  return (
    options.formats.length > 0 ||
    options.extract !== null ||
    (accept !== null && (accept.selector !== null || accept.jsonPath !== null))
  );
}

/** What is asked of the text of a page. Plain data, like `Reading`: both go between threads. */
export interface ReadingRequest {
  /** How the text is to be read. */
  readonly kind: 'html' | 'xml' | 'json' | 'text' | 'binary';
  /** `type/subtype`, lower-case. */
  readonly essence: string;
  /** Encoding that the text was in; null: not known. */
  readonly charset: string | null;
  /** What relative URLs are resolved against. */
  readonly url: string;
  /** Scripts ran where the page was taken: what stands in `noscript` is text then, as browsers have it. */
  readonly scripting: boolean;
  /** What a browser found in the frames of the page; null: it was in none. */
  readonly frames: readonly FrameDocument[] | null;
  readonly formats: readonly Format[];
  readonly extract: readonly ExtractRule[] | null;
  /** Of `router.accept`: CSS, or null. */
  readonly selector: string | null;
  /** Of `router.accept`: JSONPath, or null. */
  readonly jsonPath: string | null;
}

/** A member of `scraper_data`, its value as JSON text. */
export type DataMember = readonly [name: string, json: string];

/** What the values take, in characters. */
export function dataLength(data: readonly DataMember[]): number {
  let length = 0;
  for (const [, json] of data) length += json.length;
  return length;
}

export interface Reading {
  /** Every format asked for, and `extract`. */
  readonly data: readonly DataMember[];
  /** What of it could not be made, or not wholly: `extract.failed`, `content.truncated`. */
  readonly failures: readonly Failure[];
  /** What of the page could not be read. */
  readonly warnings: readonly Warning[];
  /** Whether anything matches; false also when it is not asked for, took too long or makes no sense on such a text. */
  readonly selectorMet: boolean;
  readonly jsonPathMet: boolean;
}
