import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listen } from './free-port.ts';

/**
 * How a request is answered. `reset`: the connection breaks before a response; `hang`: there is none; `half`: the body never
 * ends. `cut`: the connection breaks after this part of the body.
 */
type ScriptedAnswer =
  | 'reset'
  | 'hang'
  | 'half'
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: string;
      readonly cut?: true;
    };

export interface ScriptedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** When it had arrived, ms. */
  readonly at: number;
}

/** A server on loopback that answers one request after the other as it is told. */
export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly ScriptedRequest[];
  /** Resolves when the connection of the n-th request has been closed. */
  closed(n: number): Promise<void>;
  close(): Promise<void>;
}

export async function scriptedServer(answers: readonly ScriptedAnswer[]): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = [];
  const closings: Promise<void>[] = [];
  const server = createServer(async (request, response) => {
    closings.push(new Promise((resolve) => response.once('close', resolve)));
    const answer = answers[closings.length - 1] ?? { status: 500, body: 'no more answers' };
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, headers, body: Buffer.concat(chunks).toString(), at: performance.now() });
    send(answer, response);
  });
  const port = await listen(server);
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    closed: (n) => closings[n]!,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function send(answer: ScriptedAnswer, response: ServerResponse): void {
  if (answer === 'hang') return;
  if (answer === 'reset') return void response.destroy();
  const json = { 'content-type': 'application/json' };
  if (answer === 'half') return void response.writeHead(200, json).write('{"id":');
  response.writeHead(answer.status ?? 200, answer.headers ?? json);
  if (answer.cut !== true) return void response.end(answer.body);
  response.flushHeaders();
  response.write(answer.body === '' ? ':\n' : answer.body, () => response.destroy());
}
