import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listen } from './free-port.ts';

/** A message that a receiver of webhooks has got. */
export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly sequence: number;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

type Answer = (message: ReceivedMessage, response: ServerResponse) => void;

/** A server on loopback that receives webhooks. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly messages: ReceivedMessage[];
  /** The most messages that were not answered at one time. */
  readonly mostAtOnce: number;
  /** How it answers; at first with 204. */
  answer: Answer;
}

export async function startReceiver(): Promise<Receiver> {
  const messages: ReceivedMessage[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const server = createServer(async (request, response) => {
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    response.on('close', () => atOnce--);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const message = { path: request.url!, headers: request.headers, text, body: JSON.parse(text) };
    messages.push(message);
    receiver.answer(message, response);
  });
  const port = await listen(server);
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    messages,
    get mostAtOnce() {
      return mostAtOnce;
    },
    answer: (_, response) => void response.writeHead(204).end(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
