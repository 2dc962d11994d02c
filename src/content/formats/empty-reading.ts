import { type Failure, failure } from '../../domain/failure.ts';
import { type DataMember, formatPointer, type Reading, type ReadingTargets } from '../../domain/reading.ts';

/**
 * The reading of a page that is not text. All formats are null, which is not a failure; but `extract` fails.
 * @param essence null: the page is text that could not be decoded
 */
export function binaryReading(targets: ReadingTargets, essence: string | null): Reading {
  const failures = targets.extract === null ? [] : [notExtractableFailure(targets, essence)];
  return {
    data: nullMembers(targets),
    rules: [],
    failures,
    warnings: [],
    selectorMet: false,
    jsonPathMet: false,
    found: null,
  };
}

/** The reading of a text that could not be read. @param why a sentence for the caller */
export function failedReading(targets: ReadingTargets, why: string): Reading {
  const { formats, extract, wantsMain, pointer } = targets;
  const pointers: string[] = [];
  if (formats.length > 0)
    pointers.push(formats.length === 1 ? formatPointer(targets, 0) : `${pointer}/formats`);
  else if (wantsMain) pointers.push(mainPointer(targets));
  if (extract !== null) pointers.push(`${pointer}/extract`);
  const failures = pointers.map((at) => failure('extract.failed', why, { pointer: at }));
  return {
    data: nullMembers(targets),
    rules: [],
    failures,
    warnings: [],
    selectorMet: false,
    jsonPathMet: false,
    found: null,
  };
}

/** JSON pointer of the member that asks for the main content. */
export function mainPointer({ onlyMainContent, formats, pointer }: ReadingTargets): string {
  if (onlyMainContent) return `${pointer}/only_main_content`;
  const index = formats.indexOf('main_html');
  return index === -1 ? `${pointer}/main_content` : `${pointer}/formats/${index}`;
}

export function notExtractableFailure({ pointer }: ReadingTargets, essence: string | null): Failure {
  const what = essence === null ? 'the body of this page could not be decoded' : `the page is ${essence}`;
  return failure('extract.failed', `\`extract\` reads HTML and XML; ${what}.`, {
    pointer: `${pointer}/extract`,
  });
}

function nullMembers({ formats, extract, wantsMain }: ReadingTargets): DataMember[] {
  const data = formats.map((format): DataMember => [format, 'null']);
  if (wantsMain) data.push(['main', 'null']);
  if (extract !== null) data.push(['extract', 'null']);
  return data;
}
