import { binaryReading } from '../content/formats/empty-reading.ts';
import type { DocumentInfo, DocumentKind } from '../domain/document.ts';
import { type Failure, isFailure } from '../domain/failure.ts';
import type { DataMember, Reading, ReadingRequest } from '../domain/reading.ts';
import type { DocumentReader } from '../ports/document-reader.ts';
import type { PageReader, ReadingLimits } from '../ports/page-reader.ts';

interface DocumentDeps {
  readonly documents: DocumentReader;
  readonly reader: PageReader;
}

/**
 * Reads a document (PDF, DOCX, …) as a page: all formats are made of its HTML. `data` also has the member `document`.
 * @param bytes as served; CSV as UTF-8
 * @returns null: the signal was aborted
 */
export async function readAsDocument(
  bytes: Uint8Array,
  kind: DocumentKind,
  request: ReadingRequest,
  limits: ReadingLimits,
  { documents, reader }: DocumentDeps,
): Promise<Reading | null> {
  const endsAt = performance.now() + limits.ms;
  const remaining = (): ReadingLimits => ({ ms: endsAt - performance.now(), signal: limits.signal });
  const read = await documents.read(bytes, kind, limits);
  if (read === null) return null;
  // The text of a CSV file is the file itself; the other formats show its table.
  const textIsContent = kind === 'csv' && request.formats.includes('text');
  const plain = textIsContent ? await reader.read(bytes, textOnly(request), remaining()) : null;
  if (textIsContent && plain === null) return null;
  if (isFailure(read)) return unreadable(request, read, plain);
  const page: ReadingRequest = { ...request, kind: 'html', scripting: false, frames: null };
  const reading = await reader.read(Buffer.from(read.html), page, remaining());
  if (reading === null) return null;
  return {
    ...reading,
    data: [...withText(reading.data, plain), documentMember(read.document)],
    warnings: [...read.warnings, ...reading.warnings],
  };
}

function textOnly(request: ReadingRequest): ReadingRequest {
  return {
    ...request,
    kind: 'text',
    formats: ['text'],
    extract: null,
    markdown: null,
    json: null,
    wantsMain: false,
    selector: null,
    jsonPath: null,
    finds: null,
  };
}

function unreadable(request: ReadingRequest, why: Failure, plain: Reading | null): Reading {
  const { data, ...empty } = binaryReading(request, request.essence);
  return { ...empty, data: withText(data, plain), failures: [why, ...empty.failures] };
}

/** The members with the text of `plain`, if there is one. */
function withText(data: readonly DataMember[], plain: Reading | null): readonly DataMember[] {
  const text = plain?.data.find(([name]) => name === 'text');
  return text === undefined ? data : data.map((member) => (member[0] === 'text' ? text : member));
}

function documentMember(info: DocumentInfo): DataMember {
  const { kind, pages, pagesRead, textLayer, title, author, created, truncated } = info;
  const json = {
    kind,
    pages,
    pages_read: pagesRead,
    text_layer: textLayer,
    title,
    author,
    created,
    truncated,
  };
  return ['document', JSON.stringify(json)];
}
