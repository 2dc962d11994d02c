import { deadlineUnder } from '../../base/time.ts';
import { orAborted, sleep } from '../../base/wait.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import { estimatedTokens, type ModelUse } from '../../domain/json-extraction.ts';
import { isObject } from '../../domain/json-schema.ts';
import type { LanguageModel, ModelRequest } from '../../ports/language-model.ts';

interface ChatOptions {
  /** Base URL of the API, or the URL of `chat/completions` itself. */
  readonly url: string;
  readonly model: string;
  readonly key: string | null;
  readonly contextTokens: number;
  readonly concurrency: number;
  readonly timeoutMs: number;
}

interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** How the server is bound to JSON. Servers that do not know one are asked by the next. */
const BINDINGS = ['json_schema', 'json_object', 'none'] as const;
/** Statuses by which servers refuse a parameter that they do not know. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 415, 422, 501]);
const MAX_ANSWER_BYTES = 8 * 2 ** 20;
const MAX_OUTPUT_TOKENS = 4096;
const MAX_TRIES = 5;
const FIRST_WAIT_MS = 500;
const REPAIR = 'That is not a valid JSON object of the schema. Answer again with the JSON object alone.';

/** A server that speaks the chat completions of OpenAI. */
export function createChatModel(options: ChatOptions): LanguageModel {
  const { model: name, contextTokens, concurrency } = options;
  const client = new ChatClient(options);
  let running = 0;
  const waiting = new Set<() => void>();
  return {
    name,
    contextTokens,
    maxOutputTokens: Math.min(MAX_OUTPUT_TOKENS, Math.floor(contextTokens / 4)),
    async ask(request, callerSignal) {
      using deadline = deadlineUnder(options.timeoutMs, callerSignal);
      const { signal } = deadline;
      while (running >= concurrency && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.add(resolve);
        await orAborted(promise, signal, () => undefined);
        waiting.delete(resolve);
      }
      if (signal.aborted) return { answer: LATE, use: { name, calls: 0, tokensIn: 0, tokensOut: 0 } };
      running++;
      try {
        return await client.ask(request, signal);
      } finally {
        running--;
        const [next] = waiting;
        next?.();
      }
    },
  };
}

const modelFailure = (message: string): Failure => failure('extract.model', message);
const LATE = modelFailure('The model did not answer in time.');

class ChatClient {
  readonly #options: ChatOptions;
  readonly #url: string;
  /** Index of the first binding that the server has not refused. */
  #binding = 0;

  constructor(options: ChatOptions) {
    this.#options = options;
    this.#url = options.url.endsWith('/chat/completions') ? options.url : `${options.url}/chat/completions`;
  }

  async ask(request: ModelRequest, signal: AbortSignal) {
    const use = { name: this.#options.model, calls: 0, tokensIn: 0, tokensOut: 0 };
    const messages: Message[] = [
      {
        role: 'system',
        content: `${request.instructions}\nThe JSON Schema of the answer:\n${JSON.stringify(request.schema)}`,
      },
      { role: 'user', content: request.input },
    ];
    let text = await this.#complete(messages, request.schema, use, signal);
    let read = typeof text === 'string' ? usable(text, request) : null;
    if (typeof text === 'string' && typeof read === 'string') {
      const repair = { role: 'user' as const, content: `${read} ${REPAIR}` };
      messages.push({ role: 'assistant', content: text.slice(0, 20_000) }, repair);
      text = await this.#complete(messages, request.schema, use, signal);
      read = typeof text === 'string' ? usable(text, request) : null;
    }
    if (typeof text !== 'string') return { answer: text, use };
    return { answer: typeof read === 'string' ? modelFailure(read) : read!, use };
  }

  /** The text of an answer. Asks again while the server is busy or fails, within the time. */
  async #complete(
    messages: readonly Message[],
    schema: ModelRequest['schema'],
    use: Use,
    signal: AbortSignal,
  ): Promise<string | Failure> {
    let last: Failure = LATE;
    for (let tries = 0; tries < MAX_TRIES && !signal.aborted; tries++) {
      const binding = this.#binding;
      const reply = await this.#call(messages, schema, use, signal);
      if (typeof reply === 'string') return reply;
      last = reply.failure;
      if (reply.refused && binding < BINDINGS.length - 1) {
        this.#binding = Math.max(this.#binding, binding + 1);
        tries--;
      } else if (reply.retryMs === null) return last;
      else await sleep(reply.retryMs > 0 ? reply.retryMs : FIRST_WAIT_MS * 2 ** tries, signal);
    }
    return signal.aborted ? LATE : last;
  }

  async #call(
    messages: readonly Message[],
    schema: ModelRequest['schema'],
    use: Use,
    signal: AbortSignal,
  ): Promise<string | Refused> {
    const { model, key, contextTokens } = this.#options;
    const format = BINDINGS[this.#binding]!;
    const body = JSON.stringify({
      model,
      messages,
      temperature: 0,
      stream: false,
      max_tokens: Math.min(MAX_OUTPUT_TOKENS, Math.floor(contextTokens / 4)),
      ...(format === 'json_schema'
        ? { response_format: { type: format, json_schema: { name: 'data', strict: false, schema } } }
        : {}),
      ...(format === 'json_object' ? { response_format: { type: format } } : {}),
    });
    use.calls++;
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        },
        body,
        // Only the origin that the operator configured is called.
        redirect: 'manual',
        signal,
      });
      const text = await limitedText(response);
      if (text === null) {
        use.tokensIn += estimatedTokens(body.length);
        return refused('The answer of the model is longer than 8 MiB.');
      }
      const { content, usage } = contentOf(text);
      const counted = response.ok || usage !== null;
      use.tokensIn += usage?.tokensIn ?? (counted ? estimatedTokens(body.length) : 0);
      use.tokensOut += usage?.tokensOut ?? estimatedTokens((content ?? '').length);
      if (response.ok && content !== null) return content;
      if (response.ok) return refused('The answer of the model is not that of a chat completion.');
      const why = `The model answered with the status ${response.status}.`;
      if (response.status === 429 || (response.status >= 500 && response.status !== 501))
        return { failure: modelFailure(why), refused: false, retryMs: retryAfter(response.headers) };
      return { failure: modelFailure(why), refused: REFUSED.has(response.status), retryMs: null };
    } catch {
      // What was sent may have been worked on, and is paid.
      if (signal.aborted) use.tokensIn += estimatedTokens(body.length);
      return { failure: modelFailure('The model could not be reached.'), refused: false, retryMs: 0 };
    }
  }
}

type Use = { -readonly [K in keyof ModelUse]: ModelUse[K] };

interface Refused {
  readonly failure: Failure;
  /** The server may not know a parameter. */
  readonly refused: boolean;
  /** When to ask again; 0: the server does not say; null: never. */
  readonly retryMs: number | null;
}

const refused = (message: string): Refused => ({
  failure: modelFailure(message),
  refused: false,
  retryMs: null,
});

/** Milliseconds of `Retry-After` (RFC 9110 §10.2.3); 0: there is none. */
function retryAfter(headers: Headers): number {
  const value = headers.get('retry-after');
  if (value === null) return 0;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}

async function limitedText(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** What an answer says: of a chat completion, or of a stream of its parts, which some servers always send. */
function contentOf(text: string) {
  const isStream = /^\s*(?:data|event|id):/.test(text);
  const parts = isStream
    ? text.split('\n').flatMap((line) => (line.startsWith('data:') ? [parsed(line.slice(5))] : []))
    : [parsed(text)];
  let content: string | null = null;
  let usage: { readonly tokensIn: number; readonly tokensOut: number } | null = null;
  for (const part of parts) {
    if (!isObject(part)) continue;
    const choice = Array.isArray(part.choices) ? part.choices[0] : null;
    const message = isObject(choice) ? (choice.message ?? choice.delta) : null;
    if (isObject(message) && typeof message.content === 'string') content = (content ?? '') + message.content;
    if (isObject(part.usage)) {
      const count = (value: unknown) => (typeof value === 'number' && value >= 0 ? Math.ceil(value) : 0);
      usage = { tokensIn: count(part.usage.prompt_tokens), tokensOut: count(part.usage.completion_tokens) };
    }
  }
  return { content, usage };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The JSON object of an answer; or what is wrong with it, as a sentence. */
function usable(text: string, { problem }: ModelRequest): Readonly<Record<string, unknown>> | string {
  const answer = objectIn(text);
  return answer === null ? 'The model did not answer with JSON.' : (problem(answer) ?? answer);
}

/** The JSON object of an answer, also after thoughts, between words, or in a fence. */
function objectIn(answer: string): Readonly<Record<string, unknown>> | null {
  const text = answer.replace(/<think>[\s\S]*?<\/think>/g, '').trim();
  const from = text.indexOf('{');
  const candidates = [text, from === -1 ? '' : text.slice(from, text.lastIndexOf('}') + 1)];
  for (const candidate of candidates) {
    const value = parsed(candidate);
    if (isObject(value)) return value;
  }
  return null;
}
