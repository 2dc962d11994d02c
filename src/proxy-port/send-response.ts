import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { freeBuffer } from '../base/memory-budget.ts';
import { microToCurrency } from '../base/numbers.ts';
import { FAILURES, type Failure, failure } from '../domain/failure.ts';
import type { Page } from '../domain/fetch-result.ts';
import type { Scrape } from '../domain/scrape.ts';
import type { Refusal } from '../http/core/refusal.ts';
import { RETRY_AFTER_S } from '../http/core/send-refusal.ts';
import { writePieces } from '../http/core/streaming.ts';
import { retryAfter } from '../http/operations/send-scrape.ts';
import { problemJson } from '../wire/answer/reply.ts';

/** Larger bodies are written in pieces, with back-pressure. */
const MAX_WHOLE_BYTES = 256 * 1024;
const PIECE_BYTES = 64 * 1024;

type Field = readonly [name: string, value: string];

/** The status of a refusal by a proxy. A missing or wrong key is 407 (RFC 9110 §15.5.8), since 401 belongs to the target. */
export function refusalStatus({ code }: { readonly code: Failure['code'] }): number {
  const status = FAILURES[code].status ?? 500;
  return status === 401 ? 407 : status;
}

interface Problem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A refusal as a response of the proxy. */
export function refusalProblem(refusal: Refusal, requestId: string, baseUrl: string): Problem {
  const { errors, candidates } = refusal;
  const status = refusalStatus(refusal);
  return {
    status,
    headers: {
      ...problemHeaders(refusal.code),
      ...(status === 407 ? { 'proxy-authenticate': 'Basic realm="Sluice", charset="UTF-8"' } : {}),
      ...(status === 503 ? { 'retry-after': RETRY_AFTER_S } : {}),
      ...refusal.headers,
    },
    body: problemJson({ errors, candidates, requestId, baseUrl }),
  };
}

const problemHeaders = (code: Failure['code']) => ({
  'sluice-error': code,
  'content-type': 'application/problem+json',
  'cache-control': 'no-store',
});

/** Sends the page that the target sent, or the problem why there is none. */
export function sendScrape(
  request: IncomingMessage,
  response: ServerResponse,
  scrape: Scrape,
  baseUrl: string,
): void {
  const { delivered, httpStatus } = scrape;
  // Without content, the page is withheld, because its record could not be stored.
  if (httpStatus !== 200 || delivered?.content == null) sendFailedScrape(response, scrape, baseUrl);
  else sendPage(request, response, delivered.page, scrapeFields(scrape));
}

function sendFailedScrape(response: ServerResponse, scrape: Scrape, baseUrl: string): void {
  const { errors, httpStatus, requestId, sentOnce } = scrape;
  const cause = errors[0] ?? failure('service.internal', 'The scrape ended without a page.');
  // null: the caller has disconnected, so nobody reads the response.
  const status = httpStatus === 200 ? 502 : (httpStatus ?? 503);
  const headers: OutgoingHttpHeaders = {
    ...Object.fromEntries(scrapeFields(scrape)),
    ...problemHeaders(cause.code),
  };
  if (status === 503 || status === 429) headers['retry-after'] = retryAfter(scrape);
  response.writeHead(status, headers);
  response.end(problemJson({ errors: errors.length === 0 ? [cause] : errors, requestId, baseUrl, sentOnce }));
}

function scrapeFields({ id, outcome, cost, scraper }: Scrape): readonly Field[] {
  const fields: Field[] = [['sluice-outcome', outcome]];
  if (id !== null) fields.push(['sluice-scrape-id', id]);
  if (cost !== null) fields.push(['sluice-request-cost', String(microToCurrency(cost))]);
  if (scraper !== null) fields.push(['sluice-scraper', scraper]);
  return fields;
}

/** Fields of the connection between proxy and target, or about the transfer coding that was undone. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['proxy-connection', 'proxy-authenticate', 'proxy-authentication-info'],
]);

const hasNoBody = ({ method, statusCode }: Page): boolean =>
  method === 'HEAD' || statusCode === 204 || statusCode === 304;

function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  page: Page,
  ours: readonly Field[],
): void {
  const { body: bytes } = page;
  const isCut = page.cut !== null;
  const fields = [...pageFields(page), ...ours];
  // A cut page has no length, so that its chunks have no end. HTTP/1.0 has no chunks: there, more bytes are announced.
  const isOld = request.httpVersionMinor === 0;
  if (!hasNoBody(page) && (!isCut || isOld))
    fields.push(['content-length', String(bytes.length + (isCut ? 1 : 0))]);
  // The target's `Date`, or none.
  response.sendDate = false;
  response.writeHead(page.statusCode, fields.flat());
  response.once('close', () => freeBuffer(bytes));
  if (hasNoBody(page)) response.end();
  else if (!isCut && bytes.length <= MAX_WHOLE_BYTES) response.end(bytes);
  else {
    response.flushHeaders();
    writePieces(response, piecesOf(bytes, isCut));
  }
}

/** @param isCut at the end, an error lets the connection be closed */
function* piecesOf(bytes: Uint8Array, isCut: boolean): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
  if (isCut) throw new Error('the page is incomplete');
}

/** The target's fields for the bytes as they are sent: they were decoded, or serialized by a browser. */
function pageFields(page: Page): readonly Field[] {
  const { headers, undecoded, contentTypeOverride } = page;
  const hasBody = !hasNoBody(page);
  const nominated = new Set(
    headers.flatMap(([name, value]) => (name === 'connection' ? value.toLowerCase().split(/[\s,]+/) : [])),
  );
  const fields: Field[] = [];
  for (const [name, value] of headers) {
    if (HOP_BY_HOP.has(name) || nominated.has(name) || name.startsWith('sluice-')) continue;
    if (hasBody && (name === 'content-length' || (name === 'content-encoding' && !undecoded))) continue;
    if (name === 'content-type' && contentTypeOverride !== undefined) continue;
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) fields.push([name, fieldValue(value)]);
  }
  if (contentTypeOverride !== undefined) fields.push(['content-type', contentTypeOverride]);
  return fields;
}

/** A value with one character per byte, without the control characters that Node refuses to send. */
const fieldValue = (value: string): string => {
  const bytes = /[^\x00-\xff]/.test(value) ? Buffer.from(value).toString('latin1') : value;
  return bytes.replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ');
};
