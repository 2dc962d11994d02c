import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { deadlineUnder } from '../../base/time.ts';
import type { PictureType } from '../../domain/captures.ts';
import { pictureKey, type StoredPicture } from '../../domain/record.ts';
import { displayableContent, type TypedContent, typedContent } from '../../pipeline/stored-content.ts';
import { contentFacts, fileName } from '../../wire/record/record-json.ts';
import type { QueryReader } from '../../wire/schema/query-reader.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { MEMORY_WAIT_MS, memoryOf, outOfMemoryRefusal, readBlob } from '../core/request-resources.ts';
import { bytes, nothing, problem } from '../core/responses.ts';
import { sendPieces } from '../core/streaming.ts';
import { piecesOf, SANDBOX, sendBytes } from '../core/untrusted-content.ts';
import { EXPIRED, existing, RECORD_ID, recordId, visibleUser } from '../operations/missing-record.ts';
import { checkSignedLink, SIGNED_LINK_QUERY } from '../operations/signed-link.ts';

/** Also allows styles, images and fonts within the content itself, and a frame of the dashboard around it. */
const SANDBOX_FOR_VIEW = `${SANDBOX}; img-src data:; style-src 'unsafe-inline'; font-src data:; frame-ancestors 'self'`;
const SANDBOX_FOR_PICTURE = `${SANDBOX}; style-src 'unsafe-inline'`;

function sendContent(
  reply: FastifyReply,
  { bytes: content, type }: TypedContent,
  policy: string,
): FastifyReply {
  reply.headers({
    'content-type': type,
    'content-length': content.length,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store',
  });
  return sendBytes(reply, content);
}

const noContentRefusal = (): Refusal =>
  Refusal.of('request.not_found', 'The record has no content: there was none, or it was not kept.');

/** `/view` in the text points to the query parameter `view`; it is not a path. */
const notViewableRefusal = (): Refusal =>
  Refusal.of(
    'request.validation',
    '`/view` is for HTML, text and images; this content is something else. Download it without `view`.',
    { pointer: '/view' },
  );

/** One message for all causes, so that a wrong link does not reveal which records exist. */
const noPictureRefusal = (): Refusal =>
  Refusal.of(
    'request.not_found',
    'There is no such screenshot: none was taken or kept, it was deleted, or the link is wrong.',
  );

const EXTENSIONS: Readonly<Record<PictureType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

/** @param name of the file, without its extension */
const pictureHeaders = ({ type, bytes: size }: StoredPicture, name: string, bySignedLink: boolean) => ({
  'content-type': type,
  'content-length': size,
  'content-disposition': `inline; filename="${name}.${EXTENSIONS[type]}"`,
  'content-security-policy': SANDBOX_FOR_PICTURE,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // The holder of a signed link may embed the picture in any site.
  'cross-origin-resource-policy': bySignedLink ? 'cross-origin' : 'same-origin',
  // A picture never changes, but may be deleted.
  'cache-control': 'private, no-cache',
});

/** The highest number of a screenshot of one scrape; 0 is that of the scrape itself. */
const HIGHEST_NUMBER = 255;

function pictureNumber(text: string): number {
  if (!/^(?:0|[1-9][0-9]{0,2})$/.test(text) || Number(text) > HIGHEST_NUMBER) throw noPictureRefusal();
  return Number(text);
}

interface PictureParams {
  readonly id: string;
  /** Absent: 0. */
  readonly number?: string;
}

interface PictureCall {
  readonly params: PictureParams;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function sendPicture(
  { params, request, reply }: PictureCall,
  deps: EndpointDeps,
): Promise<FastifyReply> {
  const id = recordId(params.id);
  const number = pictureNumber(params.number ?? '0');
  const { principal } = request;
  // A signed link has no principal, and gives access to the record of any user.
  const userId = principal === null ? null : visibleUser(principal);
  const record = await existing(id, deps.store.records.get(id, userId), deps);
  const picture = record.pictures[number] ?? null;
  if (picture === null) throw noPictureRefusal();
  const etag = `"${id}-${number}"`;
  const isKnown = request.headers['if-none-match'] === etag;
  let content: Uint8Array | null = new Uint8Array(0);
  if (!isKnown && request.method !== 'HEAD') {
    content = await readBlob(request, pictureKey(id, number), picture.bytes, deps);
    if (content === null) throw noPictureRefusal();
  }
  const name = `screenshot-${id}${number === 0 ? '' : `-${number}`}`;
  const bySignedLink = principal === null;
  reply.headers(pictureHeaders(picture, name, bySignedLink));
  reply.header('etag', etag);
  return isKnown ? reply.code(304).send() : sendPieces(reply, piecesOf(content));
}

/** The common members of both screenshot endpoints. */
const PICTURE = {
  method: 'get',
  tag: 'Scrapes',
  access: 'link or scope:read',
  signedLink: checkSignedLink({
    kind: 'picture',
    numberIn: (params) => pictureNumber((params as PictureParams).number ?? '0'),
    missing: noPictureRefusal,
    expired: 'screenshot.expired',
  }),
  query: SIGNED_LINK_QUERY,
  responses: {
    200: bytes('The image.', 'image/png', 'image/jpeg', 'image/webp'),
    304: nothing('Not modified.'),
    410: problem('The link has expired: `screenshot.expired`. Or the record: `record.expired`.'),
  },
} as const;
/** The last sentence is about the screenshot, not the links. */
const LINK_HELP =
  'Signed links in responses point here and need no API key until they expire. Not stored if `router.retain` is not `full`.';

export const CONTENT = [
  endpoint({
    method: 'get',
    path: '/api/v1/scrape/{id}/content/',
    operationId: 'getScrapeContent',
    summary: 'Download the content of a stored scrape',
    description:
      'A download with the media type of the page; text is converted to UTF-8. The content is untrusted: its Content-Security-Policy sandboxes it, and forbids scripts and external resources.',
    access: 'scope:read',
    params: RECORD_ID,
    query: {
      parameters: {
        view: {
          description:
            '`1`: for display in a sandboxed frame of the dashboard instead. Only HTML, text and images.',
          schema: Type.Enum(['1']),
        },
      },
      read: (query: QueryReader) => ({ view: query.oneOf('view', ['1']) !== null }),
    },
    responses: { 200: bytes('The bytes.', '*/*'), 410: EXPIRED },
    handler: async ({ params, query: { view }, principal, request, reply }, deps) => {
      const id = recordId(params.id);
      const record = await existing(id, deps.store.records.get(id, visibleUser(principal)), deps);
      const content = record.contentInBlob
        ? await readBlob(request, record.id, record.contentBytes ?? 0, deps)
        : record.content;
      if (content === null || record.contentEncoding === null) throw noContentRefusal();
      const stored = { bytes: content, encoding: record.contentEncoding, ...contentFacts(record) };
      if (!view) {
        const typed = typedContent(stored);
        reply.header('content-disposition', `attachment; filename="${fileName(record.id, typed.essence)}"`);
        return sendContent(reply, typed, SANDBOX);
      }
      const reservation = memoryOf(request, deps.memory);
      const signal = request.cancel?.signal ?? new AbortController().signal;
      using deadline = deadlineUnder(MEMORY_WAIT_MS, signal);
      const typed = await displayableContent(stored, { reservation, signal: deadline.signal });
      if (typed === 'out of memory') throw outOfMemoryRefusal();
      if (typed === 'unfit') throw notViewableRefusal();
      return sendContent(reply, typed, SANDBOX_FOR_VIEW);
    },
  }),
  endpoint({
    ...PICTURE,
    path: '/api/v1/scrape/{id}/screenshot',
    operationId: 'getScreenshot',
    summary: 'Get the screenshot of a stored scrape',
    description: `The screenshot requested with \`screenshot: true\`. ${LINK_HELP}`,
    params: RECORD_ID,
    handler: sendPicture,
  }),
  endpoint({
    ...PICTURE,
    path: '/api/v1/scrape/{id}/screenshot/{number}',
    operationId: 'getPicture',
    summary: 'Get one of several screenshots of a stored scrape',
    description: `\`screenshot\` actions are numbered from 1 in order; 0 is the screenshot of the scrape itself. ${LINK_HELP}`,
    params: {
      ...RECORD_ID,
      number: {
        description: 'Number of the screenshot.',
        schema: Type.Integer({ minimum: 0, maximum: HIGHEST_NUMBER }),
      },
    },
    handler: sendPicture,
  }),
];
