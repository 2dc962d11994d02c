interface StreamEvent {
  readonly type: string;
  readonly data: string;
}

/** Events of a response of type `text/event-stream` whose events have one line of data each. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  /** Pieces of the current line, which may have many megabytes. */
  let pieces: string[] = [];
  let type = '';
  let data = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const [first, ...others] = value.split('\n');
    pieces.push(first!);
    for (const next of others) {
      const line = pieces.join('');
      pieces = [next];
      if (line.startsWith('event: ')) type = line.slice(7);
      else if (line.startsWith('data: ')) data = line.slice(6);
      else if (line === '' && type !== '') {
        yield { type, data };
        type = '';
      }
    }
  }
}
