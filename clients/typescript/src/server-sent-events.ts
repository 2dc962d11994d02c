export interface ServerSentEvent {
  readonly id: string | null;
  readonly data: string;
}

/** What a stream of events consists of: events, and the time that the server asks to wait before the next connection. */
type Part = ServerSentEvent | { readonly retryMs: number };

/**
 * Reads Server-Sent Events (HTML Living Standard §9.2.6). An event that is cut off is left out.
 * @param onBytes called when something has arrived, be it only a comment
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<Part, void, undefined> {
  let id: string | null = null;
  let data: string[] = [];
  for await (const line of lines(body, onBytes)) {
    if (line === '') {
      if (data.length > 0) yield { id, data: data.join('\n') };
      data = [];
      continue;
    }
    const [, name, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (name === 'data') data.push(value ?? '');
    if (name === 'id' && value !== undefined) id = value;
    if (name === 'retry' && /^\d+$/.test(value ?? '')) yield { retryMs: Number(value) };
  }
}

async function* lines(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    const text = rest + decoder.decode(value, { stream: true });
    // A CR at the end may be half of a CRLF.
    const whole = text.split(/\r\n|\n|\r(?!$)/);
    rest = whole.pop()!;
    yield* whole;
  }
}
