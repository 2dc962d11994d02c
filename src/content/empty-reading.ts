import { type Failure, failure } from '../domain/failure.ts';
import type { DataMember, Reading, ReadingRequest } from '../domain/reading.ts';

type ReadingTargets = Pick<ReadingRequest, 'formats' | 'extract'>;

export const FORMATS_POINTER = '/scraper_options/formats';
export const EXTRACT_POINTER = '/scraper_options/extract';

/**
 * Of a page that is no text: it has no format, and that is no failure; but nothing can be extracted from it.
 * @param essence null: it would be text, but could not be decoded
 */
export function binaryReading(ask: ReadingTargets, essence: string | null): Reading {
  const failures = ask.extract === null ? [] : [notExtractableFailure(essence)];
  return { data: nullMembers(ask), failures, warnings: [], selectorMet: false, jsonPathMet: false };
}

/** Of a text that could not be read. @param why for people, a sentence */
export function failedReading(ask: ReadingTargets, why: string): Reading {
  const failures: Failure[] = [];
  if (ask.formats.length > 0) failures.push(failure('extract.failed', why, { pointer: FORMATS_POINTER }));
  if (ask.extract !== null) failures.push(failure('extract.failed', why, { pointer: EXTRACT_POINTER }));
  return { data: nullMembers(ask), failures, warnings: [], selectorMet: false, jsonPathMet: false };
}

export function notExtractableFailure(essence: string | null): Failure {
  const what = essence === null ? 'the body of this page could not be decoded' : `the page is ${essence}`;
  return failure('extract.failed', `\`extract\` reads HTML and XML; ${what}.`, { pointer: EXTRACT_POINTER });
}

function nullMembers({ formats, extract }: ReadingTargets): DataMember[] {
  const data = formats.map((format): DataMember => [format, 'null']);
  if (extract !== null) data.push(['extract', 'null']);
  return data;
}
