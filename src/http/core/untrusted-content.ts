import type { FastifyReply } from 'fastify';
import { sendPieces } from './streaming.ts';

/** `Content-Security-Policy` of untrusted content: it runs no scripts and sends no requests. */
export const SANDBOX = "sandbox; default-src 'none'";

/** Larger contents are streamed in pieces of this size, because Node copies what a socket cannot take at once. */
const PIECE_BYTES = 128 * 1024;

export function* piecesOf(content: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < content.length; at += PIECE_BYTES) yield content.subarray(at, at + PIECE_BYTES);
}

/** Sends bytes that come from a target; the headers were set before. */
export const sendBytes = (reply: FastifyReply, content: Uint8Array): FastifyReply =>
  content.length <= PIECE_BYTES
    ? reply.send(Buffer.from(content.buffer, content.byteOffset, content.length))
    : sendPieces(reply, piecesOf(content));
