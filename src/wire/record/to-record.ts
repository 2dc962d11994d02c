import { microToCurrency } from '../../base/numbers.ts';
import type { Principal } from '../../domain/account.ts';
import type { Screenshot } from '../../domain/captures.ts';
import type { Page } from '../../domain/fetch-result.ts';
import type { StoredFiles } from '../../domain/files.ts';
import type { NewRecord, RecordSummary } from '../../domain/record.ts';
import { DIRECT, filesOf, picturesOf, type StoredPicture, type StoredPictures } from '../../domain/record.ts';
import type { Scrape } from '../../domain/scrape.ts';
import { answerJson as answerText } from '../answer/answer-json.ts';

/** Larger contents are stored in the BlobStore and not in the database. */
export const MAX_ROW_CONTENT_BYTES = 256 * 1024;

const NO_PICTURES: StoredPictures = Object.freeze([]);
const NO_FILES: StoredFiles = Object.freeze([]);
const NO_CONTENT = {
  contentEncoding: null,
  content: null,
  contentInBlob: false,
  pictures: NO_PICTURES,
  files: NO_FILES,
};
const NO_TAGS: Readonly<Record<string, string>> = Object.freeze({});

/**
 * The record of a scrape, by `router.retain`. `full`: everything. `metadata`: no content and no response headers. `none`:
 * only id, user, time, host, outcome, cost and duration.
 * @param answerJson the answer to the caller, from `answerJson` of answer-json.ts
 */
export function toRecord(scrape: Scrape, principal: Principal, answerJson: string): NewRecord {
  const { task } = scrape;
  if (task.router.retain === 'none') return minimalRecord(scrape, principal);
  const summary: RecordSummary = {
    id: scrape.id!,
    userId: principal.userId,
    keyId: principal.keyId,
    createdAt: scrape.createdAt,
    url: task.url,
    host: task.host,
    method: task.method,
    requestedScraper: task.scraper,
    scraper: scrape.scraper,
    proxyType: scrape.direct === true ? `${scrape.proxyType}${DIRECT}` : scrape.proxyType,
    httpStatus: scrape.httpStatus,
    statusCode: scrape.delivered?.page.statusCode ?? null,
    outcome: scrape.outcome,
    errorCode: scrape.errors[0]?.code ?? null,
    durationMs: Math.round(scrape.timing.total),
    contentBytes: null,
    requestCost: scrape.cost === null ? null : microToCurrency(scrape.cost),
    tags: task.router.tags,
    hasScreenshot: false,
    pictures: NO_PICTURES,
  };
  if (task.router.retain === 'metadata') {
    return {
      ...summary,
      requestJson: task.requestJson(scrape.delivered?.page.plainFields),
      answerJson: answerText(scrape, { contentKept: false }),
      ...NO_CONTENT,
    };
  }
  const content = scrape.delivered?.content ?? null;
  const isLarge = content !== null && content.bytes.length > MAX_ROW_CONTENT_BYTES;
  const page = scrape.delivered?.page ?? null;
  const pictures: readonly (Screenshot | null)[] = page === null ? [] : picturesOf(page);
  return {
    ...summary,
    contentBytes: content?.bytes.length ?? null,
    hasScreenshot: page?.screenshot !== undefined,
    pictures: pictures.length === 0 ? NO_PICTURES : pictures.map(storedPicture),
    files: page === null ? NO_FILES : storedFiles(page),
    requestJson: task.requestJson(scrape.delivered?.page.plainFields),
    answerJson,
    contentEncoding: content?.encoding ?? null,
    content: isLarge ? null : (content?.bytes ?? null),
    contentInBlob: isLarge,
  };
}

const storedPicture = (picture: Screenshot | null): StoredPicture | null =>
  picture === null ? null : { type: picture.type, bytes: picture.bytes.length };

function storedFiles(page: Page): StoredFiles {
  const files = filesOf(page);
  if (files.length === 0) return NO_FILES;
  return files.map((file) => file && { name: file.name, type: file.type, bytes: file.bytes.length });
}

function minimalRecord(scrape: Scrape, principal: Principal): NewRecord {
  return {
    id: scrape.id!,
    userId: principal.userId,
    keyId: null,
    createdAt: scrape.createdAt,
    url: null,
    host: scrape.task.host,
    method: null,
    requestedScraper: null,
    scraper: null,
    proxyType: null,
    httpStatus: null,
    statusCode: null,
    outcome: scrape.outcome,
    errorCode: null,
    durationMs: Math.round(scrape.timing.total),
    contentBytes: null,
    requestCost: scrape.cost === null ? null : microToCurrency(scrape.cost),
    tags: NO_TAGS,
    hasScreenshot: false,
    requestJson: null,
    answerJson: null,
    ...NO_CONTENT,
  };
}
