import type { FastifyRequest } from 'fastify';
import type { ItemRow } from '../domain/jobs.ts';
import { itemJson } from '../wire/jobs/job-json.ts';
import type { ResultPart } from '../wire/jobs/results-query.ts';
import { recordDataJson, recordJson } from '../wire/record/record-json.ts';
import type { EndpointDeps } from './deps.ts';
import { readBlob } from './request-resources.ts';

/** Contract §13: a page has at most 16 MiB. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

type ResultDeps = Pick<EndpointDeps, 'store' | 'blobs' | 'memory' | 'linkUrl'>;

/**
 * Items as JSON texts, until the page is full.
 * @returns `last`: `n` of the last one; null: there is none
 */
export async function resultLines(
  deps: ResultDeps,
  items: readonly ItemRow[],
  include: ResultPart,
  request: FastifyRequest,
): Promise<{ readonly lines: readonly string[]; readonly last: number | null }> {
  const lines: string[] = [];
  let bytes = 0;
  let last: number | null = null;
  for (const item of items) {
    const line = await resultLine(deps, item, include, request);
    bytes += line.length;
    if (bytes > MAX_PAGE_BYTES && lines.length > 0) break;
    lines.push(line);
    last = item.n;
  }
  return { lines, last };
}

/** One item as JSON text. */
export async function resultLine(
  { store, blobs, memory, linkUrl }: ResultDeps,
  item: ItemRow,
  include: ResultPart,
  request: FastifyRequest,
): Promise<string> {
  const id = JSON.stringify(item.scrapeId);
  if (item.scrapeId === null || include === 'none') return itemJson(item, id, 'null');
  const record = await store.records.get(item.scrapeId, null);
  if (record === null) return itemJson(item, id, 'null');
  if (include === 'formats') return itemJson(item, id, recordDataJson(record, linkUrl));
  const content = record.contentInBlob
    ? await readBlob(request, record.id, record.contentBytes ?? 0, { memory, blobs })
    : record.content;
  return itemJson(item, recordJson(record, content, linkUrl, false).toString('utf8'), 'null');
}
