import { microToCurrency } from '../../base/numbers.ts';
import type { Principal } from '../../domain/account.ts';
import type { Screenshot } from '../../domain/captures.ts';
import type { NewRecord, RecordSummary } from '../../domain/record.ts';
import { picturesOf, type StoredPicture, type StoredPictures } from '../../domain/record.ts';
import type { Scrape } from '../../domain/scrape.ts';
import { answerJson as answerText } from '../answer/answer-json.ts';

/** Contents up to here stand in the row, larger ones in a blob. */
export const MAX_ROW_CONTENT_BYTES = 256 * 1024;

const NO_PICTURES: StoredPictures = Object.freeze([]);
const NO_CONTENT = {
  contentEncoding: null,
  content: null,
  contentInBlob: false,
  pictures: NO_PICTURES,
};
const NO_TAGS: Readonly<Record<string, string>> = Object.freeze({});

/**
 * What is kept of a scrape, by `router.retain`: everything; no content and no response headers; or nothing but id, time,
 * host, outcome, cost and duration (and whose it is).
 * @param answerJson with everything that the caller gets
 */
export function toRecord(scrape: Scrape, principal: Principal, answerJson: string): NewRecord {
  const { job } = scrape;
  if (job.router.retain === 'none') return minimalRecord(scrape, principal);
  const line: RecordSummary = {
    id: scrape.id!,
    userId: principal.userId,
    keyId: principal.keyId,
    createdAt: scrape.createdAt,
    url: job.url,
    host: job.host,
    method: job.method,
    requestedScraper: job.scraper,
    scraper: scrape.scraper,
    proxyType: scrape.proxyType,
    httpStatus: scrape.httpStatus,
    statusCode: scrape.delivered?.page.statusCode ?? null,
    outcome: scrape.outcome,
    errorCode: scrape.errors[0]?.code ?? null,
    durationMs: Math.round(scrape.timing.total),
    contentBytes: null,
    requestCost: scrape.cost === null ? null : microToCurrency(scrape.cost),
    tags: job.router.tags,
    hasScreenshot: false,
  };
  if (job.router.retain === 'metadata') {
    const kept = { requestJson: job.requestJson(), answerJson: answerText(scrape, false) };
    return { ...line, ...kept, ...NO_CONTENT };
  }
  const content = scrape.delivered?.content ?? null;
  const large = content !== null && content.bytes.length > MAX_ROW_CONTENT_BYTES;
  const page = scrape.delivered?.page ?? null;
  const pictures: readonly (Screenshot | null)[] = page === null ? [] : picturesOf(page);
  return {
    ...line,
    contentBytes: content?.bytes.length ?? null,
    hasScreenshot: page?.screenshot !== undefined,
    pictures: pictures.length === 0 ? NO_PICTURES : pictures.map(storedPicture),
    requestJson: job.requestJson(),
    answerJson,
    contentEncoding: content?.encoding ?? null,
    content: large ? null : (content?.bytes ?? null),
    contentInBlob: large,
  };
}

const storedPicture = (picture: Screenshot | null): StoredPicture | null =>
  picture === null ? null : { type: picture.type, bytes: picture.bytes.length };

function minimalRecord(scrape: Scrape, principal: Principal): NewRecord {
  return {
    id: scrape.id!,
    userId: principal.userId,
    keyId: null,
    createdAt: scrape.createdAt,
    url: null,
    host: scrape.job.host,
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
