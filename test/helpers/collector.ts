import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listen } from './free-port.ts';

/** A span as the collector got it. */
export interface SeenSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  /** ms since the epoch */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly failed: boolean;
}

export interface SeenExport {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A collector of OpenTelemetry: it takes traces by OTLP over HTTP, and keeps them. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly exports: readonly SeenExport[];
  /** Spans and resource of the exports in JSON. */
  spans(): SeenSpan[];
  resource(): Readonly<Record<string, string | number>>;
  /** The status of its answers. */
  status: number;
}

type Values = readonly {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number };
}[];

const attributesOf = (list: Values) =>
  Object.fromEntries(
    list.map(({ key, value }) => [
      key,
      value.stringValue ?? value.doubleValue ?? (value.intValue === undefined ? '' : Number(value.intValue)),
    ]),
  );

export async function startCollector(): Promise<Collector> {
  const exports: SeenExport[] = [];
  const state = { status: 200 };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      if (state.status === 200)
        exports.push({ url: request.url!, headers: request.headers, body: Buffer.concat(pieces) });
      response.writeHead(state.status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const port = await listen(server);
  const resources = () =>
    exports
      .filter(({ headers }) => headers['content-type'] === 'application/json')
      .flatMap(({ body }) => JSON.parse(body.toString()).resourceSpans);
  return {
    url: `http://127.0.0.1:${port}`,
    exports,
    get status() {
      return state.status;
    },
    set status(status) {
      state.status = status;
    },
    resource: () => attributesOf(resources()[0].resource.attributes),
    spans: () =>
      resources().flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }: { spans: readonly never[] }) => spans.map(spanOf)),
      ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const spanOf = (span: {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Values;
  readonly status: { readonly code?: number };
}): SeenSpan => ({
  ...span,
  start: Number(span.startTimeUnixNano) / 1e6,
  end: Number(span.endTimeUnixNano) / 1e6,
  attributes: attributesOf(span.attributes),
  failed: span.status.code === 2,
});
