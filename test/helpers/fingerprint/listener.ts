import { createServer as createHttp } from 'node:http';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTls, type TLSSocket } from 'node:tls';
import { selfSigned } from '../../site/certificate.ts';
import { type ClientHello, parseClientHello } from './client-hello.ts';
import { type H2Opening, parseH2Opening } from './h2-opening.ts';

/** What the listeners have received from a client. */
export interface Recorded {
  hello: ClientHello | null;
  opening: H2Opening | null;
  /** Header fields of an HTTP/2 request, pseudo-header fields first, in the order of arrival. */
  fields: Fields;
  /** Header fields of a request over HTTP/1.1 with TLS. */
  http1Fields: Fields;
  /** Header fields of a request over HTTP/1.1 without TLS. */
  plainFields: Fields;
}

export type Fields = readonly (readonly [name: string, value: string])[];

export interface FingerprintListener extends AsyncDisposable {
  /** Records the ClientHello and the first HTTP/2 frames. */
  readonly framesUrl: string;
  /** Records the header fields over HTTP/2. */
  readonly fieldsUrl: string;
  /** Records the header fields over HTTP/1.1 with TLS. */
  readonly http1Url: string;
  /** Records the header fields over HTTP/1.1 without TLS. */
  readonly plainUrl: string;
  /** All four. */
  readonly urls: readonly string[];
  /** What was recorded since the last call. */
  take(): Recorded;
}

const frame = (type: number, flags: number, stream: number, payload: readonly number[] = []): Buffer =>
  Buffer.from([0, 0, payload.length, type, flags, 0, 0, 0, stream, ...payload]);

/** Starts three listeners with a self-signed certificate and one without TLS. All respond with a short 200. */
export async function startFingerprintListener(): Promise<FingerprintListener> {
  const keyPair = selfSigned();
  const empty = (): Recorded => ({
    hello: null,
    opening: null,
    fields: [],
    http1Fields: [],
    plainFields: [],
  });
  let recorded = empty();
  const sockets = new Set<Socket>();

  const frames = createTls({ ...keyPair, ALPNProtocols: ['h2'] }, (socket) => answerFrames(socket));
  frames.on('tlsClientError', () => {});
  const answerFrames = (socket: TLSSocket): void => {
    let bytes: Buffer = Buffer.alloc(0);
    let answered = false;
    socket.on('error', () => {});
    socket.on('data', (piece: Buffer) => {
      bytes = Buffer.concat([bytes, piece]);
      const opening = answered ? null : parseH2Opening(bytes);
      if (opening === null) return;
      answered = true;
      recorded.opening ??= opening;
      // SETTINGS, their acknowledgement, and `:status: 200` of the static table (RFC 7541, appendix A).
      const { stream } = opening;
      socket.write(Buffer.concat([frame(4, 0, 0), frame(4, 1, 0), frame(1, 5, stream, [0x88])]));
    });
  };
  const raw = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let bytes: Buffer = Buffer.alloc(0);
    const recordHello = (piece: Buffer): void => {
      bytes = Buffer.concat([bytes, piece]);
      const hello = parseClientHello(bytes);
      if (hello === null && bytes.length < 65_536) return;
      recorded.hello ??= hello;
      socket.removeListener('data', recordHello);
      socket.pause();
      socket.unshift(bytes);
      frames.emit('connection', socket);
    };
    socket.on('data', recordHello);
  });
  const fields = createSecureServer({ ...keyPair, allowHTTP1: true });
  fields.on('secureConnection', (socket: Socket) => sockets.add(socket));
  fields.on('stream', (stream: ServerHttp2Stream, headers, _flags, rawHeaders: readonly string[]) => {
    // Browsers also request /favicon.ico.
    if (recorded.fields.length === 0 && headers[':path'] === '/') recorded.fields = pairsOf(rawHeaders);
    stream.respond({ ':status': 200, 'content-type': 'text/plain' });
    stream.end('seen');
  });

  const http1 = createHttps(keyPair, (request, response) => {
    if (recorded.http1Fields.length === 0 && request.url === '/')
      recorded.http1Fields = pairsOf(request.rawHeaders);
    response.end('seen');
  });
  const plain = createHttp((request, response) => {
    if (recorded.plainFields.length === 0 && request.url === '/')
      recorded.plainFields = pairsOf(request.rawHeaders);
    response.end('seen');
  });
  for (const server of [http1, plain]) server.on('connection', (socket: Socket) => sockets.add(socket));

  const listen = async (server: object, scheme: string): Promise<string> => {
    const listener = server as Server;
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    return `${scheme}://localhost:${(listener.address() as AddressInfo).port}/`;
  };
  const urls = {
    framesUrl: await listen(raw, 'https'),
    fieldsUrl: await listen(fields, 'https'),
    http1Url: await listen(http1, 'https'),
    plainUrl: await listen(plain, 'http'),
  };
  return {
    ...urls,
    urls: Object.values(urls),
    take() {
      const taken = recorded;
      recorded = empty();
      return taken;
    },
    async [Symbol.asyncDispose]() {
      for (const server of [raw, fields, http1, plain]) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function pairsOf(rawHeaders: readonly string[]): Fields {
  const list: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) list.push([rawHeaders[i]!, rawHeaders[i + 1]!]);
  return list;
}
