import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { acceptedCoding } from '../core/request-headers.ts';

/** Shorter answers fit into one packet anyway. */
const MIN_LENGTH = 1_400;

const compress = {
  // Quality 4 is as fast as gzip, and smaller.
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text: string) => promisify(gzip)(text, {}),
};

/**
 * Compresses JSON that the dashboard reads: lists and statistics shrink to a tenth. Other clients are programs, often on the
 * same machine, which would pay more for decompressing.
 */
export function compressForDashboard(app: FastifyInstance): void {
  app.addHook('onSend', async ({ method, headers }, reply, payload) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
    if (method !== 'GET' || headers.cookie === undefined || !isJson || typeof payload !== 'string') return;
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
    const coding = acceptedCoding(headers['accept-encoding'], ['br', 'gzip']);
    if (coding === null || payload.length < MIN_LENGTH) return;
    reply.header('content-encoding', coding).removeHeader('content-length');
    return compress[coding](payload);
  });
}
