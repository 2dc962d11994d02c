import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import { listen } from '../helpers/free-port.ts';

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format?: { readonly type: string };
  readonly authorization: string | undefined;
}

/** Answers a request: with text of the model, or by hand. */
export type ChatAnswer = (request: ChatRequest, response: ServerResponse, n: number) => string | null;

/** A server of chat completions. Set `answer` in each test; `requests` are those since then. */
export function useChatServer() {
  let server: Server;
  const state = { url: '', requests: [] as ChatRequest[], answer: (() => null) as ChatAnswer };
  before(async () => {
    server = createServer(async (request, response) => {
      const asked = { ...(await bodyOf(request)), authorization: request.headers.authorization };
      state.requests.push(asked);
      const text = state.answer(asked, response, state.requests.length);
      if (text !== null) response.end(JSON.stringify(completion(text)));
    });
    await listen(server);
    state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    get url() {
      return state.url;
    },
    get requests() {
      return state.requests;
    },
    answers(answer: ChatAnswer) {
      state.requests = [];
      state.answer = answer;
    },
  };
}

const completion = (content: string) => ({
  choices: [{ message: { role: 'assistant', content } }],
  usage: { prompt_tokens: 100, completion_tokens: 10 },
});

async function bodyOf(request: IncomingMessage): Promise<Omit<ChatRequest, 'authorization'>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest;
}
