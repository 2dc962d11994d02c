import { Type } from 'typebox';
import { MAX_DOWNLOADS, type StoredFile } from '../../domain/files.ts';
import { fileKey } from '../../domain/record.ts';
import { endpoint } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { readBlob } from '../core/request-resources.ts';
import { bytes, nothing, problem } from '../core/responses.ts';
import { sendPieces } from '../core/streaming.ts';
import { piecesOf, SANDBOX } from '../core/untrusted-content.ts';
import { existing, RECORD_ID, recordId, visibleUser } from '../operations/missing-record.ts';
import { checkSignedLink, SIGNED_LINK_QUERY } from '../operations/signed-link.ts';

/** The highest file number of a scrape: the printed page is 0, the page itself may be a download, and then its downloads follow. */
const HIGHEST_NUMBER = MAX_DOWNLOADS + 1;

const noFileRefusal = (): Refusal =>
  Refusal.of(
    'request.not_found',
    'There is no such file: none was made or kept, it was deleted, or the link is wrong.',
  );

function fileNumber(params: unknown): number {
  const { number } = params as { readonly number: string };
  if (!/^(?:0|[1-9][0-9]?)$/.test(number) || Number(number) > HIGHEST_NUMBER) throw noFileRefusal();
  return Number(number);
}

/** RFC 6266 §4.3: a name in ASCII for old clients, and the real one. */
function attachment(name: string): string {
  const ascii = name.replace(/[^ -~]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

const fileHeaders = ({ name, type, bytes: size }: StoredFile) => ({
  'content-type': type,
  'content-length': size,
  'content-disposition': attachment(name),
  'content-security-policy': SANDBOX,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  // A file never changes, but may be deleted.
  'cache-control': 'private, no-cache',
});

export const FILES = [
  endpoint({
    method: 'get',
    path: '/api/v1/scrape/{id}/files/{number}/',
    operationId: 'getScrapeFile',
    summary: 'Download a file of a stored scrape',
    description:
      'The printed page (0), or a download (1, 2, …). Always an attachment: files are untrusted. Signed links in responses point here and need no API key until they expire. Not stored if `router.retain` is not `full`.',
    access: 'link or scope:read',
    signedLink: checkSignedLink({
      kind: 'file',
      numberIn: fileNumber,
      missing: noFileRefusal,
      expired: 'file.expired',
    }),
    params: {
      ...RECORD_ID,
      number: {
        description: 'Number of the file.',
        schema: Type.Integer({ minimum: 0, maximum: HIGHEST_NUMBER }),
      },
    },
    query: SIGNED_LINK_QUERY,
    responses: {
      200: bytes('The file.', '*/*'),
      304: nothing('Not modified.'),
      410: problem('The link has expired: `file.expired`. Or the record: `record.expired`.'),
    },
    handler: async ({ params, principal, request, reply }, deps) => {
      const id = recordId(params.id);
      const number = fileNumber(params);
      // A signed link needs no principal.
      const userId = principal === null ? null : visibleUser(principal);
      const record = await existing(id, deps.store.records.get(id, userId), deps);
      const file = record.files[number] ?? null;
      if (file === null) throw noFileRefusal();
      const etag = `"${id}-f-${number}"`;
      const isKnown = request.headers['if-none-match'] === etag;
      let content: Uint8Array | null = new Uint8Array(0);
      if (!isKnown && request.method !== 'HEAD') {
        content = await readBlob(request, fileKey(id, number), file.bytes, deps);
        if (content === null) throw noFileRefusal();
      }
      reply.headers({ ...fileHeaders(file), etag });
      return isKnown ? reply.code(304).send() : sendPieces(reply, piecesOf(content));
    },
  }),
];
