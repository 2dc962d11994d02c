import { type Failure, failure } from '../domain/failure.ts';
import type { DataMember, Reading, ReadingRequest } from '../domain/reading.ts';

type ReadingTargets = Pick<ReadingRequest, 'formats' | 'extract'>;

export const FORMATS_POINTER = '/scraper_options/formats';
export const EXTRACT_POINTER = '/scraper_options/extract';

/**
 * The reading of a page that is not text. All formats are null, which is not a failure; but `extract` fails.
 * @param essence null: the page is text that could not be decoded
 */
export function binaryReading(targets: ReadingTargets, essence: string | null): Reading {
  const failures = targets.extract === null ? [] : [notExtractableFailure(essence)];
  return { data: nullMembers(targets), failures, warnings: [], selectorMet: false, jsonPathMet: false };
}

/** The reading of a text that could not be read. @param why a sentence for the caller */
export function failedReading(targets: ReadingTargets, why: string): Reading {
  const failures: Failure[] = [];
  if (targets.formats.length > 0) failures.push(failure('extract.failed', why, { pointer: FORMATS_POINTER }));
  if (targets.extract !== null) failures.push(failure('extract.failed', why, { pointer: EXTRACT_POINTER }));
  return { data: nullMembers(targets), failures, warnings: [], selectorMet: false, jsonPathMet: false };
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
