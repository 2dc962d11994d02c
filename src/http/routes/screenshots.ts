import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PictureType } from '../../domain/captures.ts';
import { failure } from '../../domain/failure.ts';
import { pictureKey, type StoredPicture } from '../../domain/record.ts';
import { verifyPictureLink } from '../../wire/answer/picture-links.ts';
import { admissionHook } from '../access.ts';
import { Refusal } from '../refusal.ts';
import { readBlob, releaseOnClose } from '../request-resources.ts';
import { sendPieces } from '../streaming.ts';
import { type ById, found, idOf, type StoredParts, visibleTo } from './records.ts';

export interface ScreenshotRouteParts extends StoredParts {
  /** Signs the links. */
  readonly linkKey: Uint8Array;
  /** Wall clock, ms. */
  readonly now: () => number;
}

type OfPicture = ById & {
  Params: { number?: string };
  Querystring: { expires?: unknown; signature?: unknown };
};

/** What draws it is told not to guess what it is, and gives it no rights. */
const POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'";
const ENDINGS: Readonly<Record<PictureType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};
const PIECE_BYTES = 128 * 1024;
const HIGHEST = 255;
const NOTHING = new Uint8Array(0);

/** Pictures of stored scrapes: the screenshot, and by number those of actions; with a key or session, or a signed link. */
export function screenshotRoutes(app: FastifyInstance, parts: ScreenshotRouteParts): void {
  const byKey = admissionHook(parts.gate, { scope: 'read' });
  const onRequest = async (request: FastifyRequest<OfPicture>, reply: FastifyReply): Promise<void> => {
    if (!isSigned(request)) return byKey(request as FastifyRequest, reply);
    checkLink(request, parts);
    releaseOnClose(null, request as FastifyRequest, reply);
  };
  const send = async (request: FastifyRequest<OfPicture>, reply: FastifyReply): Promise<FastifyReply> => {
    const id = idOf(request);
    const number = numberOf(request);
    const signed = isSigned(request);
    const record = await found(parts.records.get(id, signed ? null : visibleTo(request)));
    const picture = record.pictures[number] ?? null;
    if (picture === null) throw noPicture();
    const etag = `"${id}-${number}"`;
    const same = request.headers['if-none-match'] === etag;
    const bytes =
      same || request.method === 'HEAD'
        ? null
        : await pictureOf(request, pictureKey(id, number), picture.bytes, parts);
    reply.headers(headersOf(picture, `screenshot-${id}${number === 0 ? '' : `-${number}`}`, signed));
    reply.header('etag', etag);
    return same ? reply.code(304).send() : sendPieces(reply, piecesOf(bytes ?? NOTHING));
  };
  app.get<OfPicture>('/api/v1/scrape/:id/screenshot', { onRequest }, send);
  app.get<OfPicture>('/api/v1/scrape/:id/screenshot/:number', { onRequest }, send);
}

/** @param name of the file, without its ending */
const headersOf = ({ type, bytes }: StoredPicture, name: string, signed: boolean) => ({
  'content-type': type,
  'content-length': bytes,
  'content-disposition': `inline; filename="${name}.${ENDINGS[type]}"`,
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Whoever has a signed link may show it anywhere.
  'cross-origin-resource-policy': signed ? 'cross-origin' : 'same-origin',
  // A picture never changes, but may be deleted.
  'cache-control': 'private, no-cache',
});

const isSigned = ({ query }: FastifyRequest<OfPicture>): boolean =>
  query.signature !== undefined || query.expires !== undefined;

function checkLink(request: FastifyRequest<OfPicture>, { linkKey, now }: ScreenshotRouteParts): void {
  const { expires, signature } = request.query;
  if (typeof expires !== 'string' || typeof signature !== 'string') throw noPicture();
  const link = { id: idOf(request), number: numberOf(request), expires, signature };
  const worth = verifyPictureLink(linkKey, link, now() / 1_000);
  if (worth === 'wrong') throw noPicture();
  if (worth === 'expired')
    throw new Refusal([failure('screenshot.expired', 'This link to a screenshot has expired.')]);
}

function numberOf({ params }: FastifyRequest<OfPicture>): number {
  const text = params.number ?? '0';
  if (!/^(?:0|[1-9][0-9]{0,2})$/.test(text) || Number(text) > HIGHEST) throw noPicture();
  return Number(text);
}

async function pictureOf(
  request: FastifyRequest<OfPicture>,
  key: string,
  size: number,
  parts: ScreenshotRouteParts,
): Promise<Uint8Array> {
  const bytes = await readBlob(request as FastifyRequest, key, size, parts);
  if (bytes === null) throw noPicture();
  return bytes;
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/** One answer for all of it: nobody learns from a wrong link what there is. */
const noPicture = (): Refusal =>
  new Refusal([
    failure(
      'request.not_found',
      'There is no such screenshot: none was taken or kept, it was deleted, or the link is wrong.',
    ),
  ]);
