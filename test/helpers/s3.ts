import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import S3rver from 's3rver';
import type { S3BlobOptions } from '../../src/adapters/blobs/s3-blob-store.ts';
import { afterwards } from '../adapters/temp.ts';
import { listen } from './free-port.ts';
import { shared } from './world.ts';

export const S3_BUCKET = 'contents';
/** The only credentials that s3rver knows. */
export const S3_KEY = 'S3RVER';
let lastPrefix = 0;
const sharedServer = shared(
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sluice-s3-'));
    const server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory,
      configureBuckets: [{ name: S3_BUCKET, configs: [] }],
    });
    const { port } = await server.run();
    return { server, directory, port };
  },
  async ({ server, directory }) => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  },
);

/** Port of an S3 server that all tests of this process share. */
export const s3Port = async (): Promise<number> => (await sharedServer()).port;

/** Folder in which that server keeps its objects, as they were sent. */
export const s3Folder = async (): Promise<string> => (await sharedServer()).directory;

/**
 * A prefix of its own in the bucket of that server. A file that is no object stands in its folder: s3rver deletes an empty
 * folder with its last object, also while it writes another one there, and then it throws.
 */
export async function s3Options(port?: number): Promise<S3BlobOptions> {
  const server = await sharedServer();
  const prefix = `test-${++lastPrefix}/`;
  const folder = join(server.directory, S3_BUCKET, prefix);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'kept'), '');
  return {
    endpoint: `http://127.0.0.1:${port ?? server.port}`,
    bucket: S3_BUCKET,
    region: 'us-east-1',
    accessKeyId: S3_KEY,
    secretAccessKey: S3_KEY,
    pathStyle: true,
    prefix,
  };
}

/** What happens to a request: it is answered with a status and an error code, cut in the middle, or never answered. */
export type S3Fault =
  | { readonly status: number; readonly code: string }
  | 'cut'
  | 'cut answer'
  | 'hang'
  | null;

/** A server in front of that one, at which requests meet faults. @returns its port */
export async function faultyS3(
  t: TestContext,
  fault: (message: IncomingMessage) => S3Fault,
): Promise<number> {
  const behind = await s3Port();
  const server = createServer((message, response) => {
    const met = fault(message);
    if (met === 'hang') message.resume();
    else if (met === 'cut') message.once('data', () => message.destroy());
    else if (met === null || met === 'cut answer') forward(message, response, behind, met !== null);
    else {
      message.resume();
      response.writeHead(met.status, { 'content-type': 'application/xml' });
      response.end(
        `<?xml version="1.0"?><Error><Code>${met.code}</Code><Message>${S3_KEY}</Message></Error>`,
      );
    }
  });
  await listen(server);
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function forward(
  message: IncomingMessage,
  response: ServerResponse,
  port: number,
  cutsAnswer: boolean,
): void {
  const { method, url: path, headers } = message;
  const ahead = request({ host: '127.0.0.1', port, method, path, headers }, (reply) => {
    if (!cutsAnswer) {
      response.writeHead(reply.statusCode!, reply.headers);
      reply.pipe(response);
      return;
    }
    // The request was carried out, but the caller does not learn it.
    response.writeHead(reply.statusCode!, { 'content-length': '1000' });
    response.write('<');
    reply.resume().on('end', () => response.destroy());
  });
  ahead.on('error', () => response.destroy());
  message.pipe(ahead);
}
