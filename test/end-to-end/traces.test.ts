import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, get, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Collector, type SeenSpan, startCollector } from '../helpers/collector.ts';
import { freePort, listen } from '../helpers/free-port.ts';
import { eventually, type Service, startService, TEST_KEY } from '../helpers/service.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const CALLER = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'vendor=secret-state' };

/** A site that notes the headers it gets. `/shaky` hangs up once; `/moved` redirects. */
async function startTarget() {
  const seen: IncomingHttpHeaders[] = [];
  let shaken = false;
  const server: Server = createServer((request, response) => {
    seen.push(request.headers);
    const path = request.url!.split('?')[0];
    if (path === '/shaky' && !shaken) {
      shaken = true;
      request.socket.destroy();
    } else if (path === '/moved') response.writeHead(302, { location: '/private-page?token=hunter2' }).end();
    else response.setHeader('content-type', 'text/plain').end('a page that says a few words');
  });
  await listen(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The status of a page through the proxy port, asked for as a part of the trace of `CALLER`. */
async function statusByProxy(url: string, port: number): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${TEST_KEY}:`).toString('base64')}`;
  return await new Promise((resolve, reject) => {
    const headers = { ...CALLER, host: new URL(url).host, 'proxy-authorization': authorization };
    get({ port, host: '127.0.0.1', path: url, headers, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode!));
    }).on('error', reject);
  });
}

describe('traces by OTLP', () => {
  let service: Service;
  let collector: Collector;
  let target: Awaited<ReturnType<typeof startTarget>>;
  let proxyPort = 0;
  before(async () => {
    collector = await startCollector();
    target = await startTarget();
    proxyPort = await freePort();
    service = await startService({
      SLUICE_PROXY_PORT: String(proxyPort),
      SLUICE_DIALECTS: 'zyte,firecrawl',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=mine',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    });
  });
  after(async () => {
    await service?.end();
    target?.close();
    await collector?.[Symbol.asyncDispose]();
  });

  /** The spans of the trace of a scrape, when its root has come. */
  const traceOf = async (id: string): Promise<SeenSpan[]> => {
    const root = await eventually(() =>
      collector.spans().find(({ attributes }) => attributes['sluice.scrape_id'] === id),
    );
    return collector.spans().filter(({ traceId }) => traceId === root.traceId);
  };
  const only = (spans: readonly SeenSpan[], name: string): SeenSpan => {
    const found = spans.filter((span) => span.name === name);
    assert.equal(found.length, 1, `${found.length} spans ${name}`);
    return found[0]!;
  };
  const assertWithin = (child: SeenSpan, parent: SeenSpan) => {
    assert.equal(child.parentSpanId, parent.spanId);
    assert.ok(child.start >= parent.start && child.end <= parent.end, `${child.name} in ${parent.name}`);
  };

  test('a scrape has an attempt with its phases, and the storage', async () => {
    const before = Date.now();
    const { body } = await service.scrape({ url: `${target.url}/moved?key=hunter2`, scraper: 'http' });
    const spans = await traceOf(body.id!);
    const root = only(spans, 'scrape');
    assert.equal(root.parentSpanId ?? '', '');
    assert.equal(root.kind, 2);
    assert.ok(root.start >= before - 1 && root.end <= Date.now() + 1);
    const attempt = only(spans, 'attempt');
    assertWithin(attempt, root);
    assert.equal(attempt.attributes['http.response.status_code'], 200);
    assert.equal(attempt.attributes['server.address'], '127.0.0.1');
    assertWithin(only(spans, 'storage'), root);
    const connect = only(spans, 'connect');
    const ttfb = only(spans, 'ttfb');
    for (const phase of [connect, ttfb, only(spans, 'download')]) assertWithin(phase, attempt);
    assert.ok(connect.end <= ttfb.start);
    assert.deepEqual([root.attributes['sluice.outcome'], root.attributes['sluice.status_code']], ['ok', 200]);
  });

  test('each attempt is a span, the failed one with its error', async () => {
    const { body } = await service.scrape({ url: `${target.url}/shaky`, router: { max_attempts: 3 } });
    const spans = await traceOf(body.id!);
    const attempts = spans.filter(({ name }) => name === 'attempt');
    assert.equal(attempts.length, body.router.attempts!.length);
    assert.ok(attempts.length >= 2);
    const [first, second] = attempts.toSorted((one, other) => one.start - other.start);
    assert.ok(first!.failed && !second!.failed);
    assert.equal(first!.attributes['error.type'], body.router.attempts![0]!.error_code);
    assert.ok(first!.end <= second!.start + 1);
    assert.ok(!only(spans, 'scrape').failed);
  });

  test('a request with traceparent joins the trace of its caller, and the target never sees it', async () => {
    const { body } = await service.scrape(
      { url: `${target.url}/joined`, scraper: 'http' },
      { headers: CALLER },
    );
    const root = only(await traceOf(body.id!), 'scrape');
    assert.deepEqual([root.traceId, root.parentSpanId], [TRACE, PARENT]);
    assert.equal(await statusByProxy(`${target.url}/by-proxy`, proxyPort), 200);
    await eventually(
      () => collector.spans().filter(({ parentSpanId }) => parentSpanId === PARENT).length === 2,
    );
    assert.ok(target.seen.length > 0);
    for (const headers of target.seen) {
      assert.equal(headers.traceparent, undefined);
      assert.equal(headers.tracestate, undefined);
    }
  });

  test('so does a request to the APIs of others, and of a tool of MCP', async () => {
    const url = `${target.url}/other`;
    const calls = [
      [
        '/v1/extract',
        { url, httpResponseBody: true },
        `Basic ${Buffer.from(`${TEST_KEY}:`).toString('base64')}`,
      ],
      ['/v2/scrape', { url }, `Bearer ${TEST_KEY}`],
      [
        '/mcp',
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'scrape', arguments: { url } } },
        `Bearer ${TEST_KEY}`,
      ],
    ] as const;
    for (const [index, [path, body, authorization]] of calls.entries()) {
      const trace = `${index + 1}`.repeat(32);
      const reply = await fetch(service.base + path, {
        method: 'POST',
        headers: {
          authorization,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          traceparent: `00-${trace}-${PARENT}-01`,
        },
        body: JSON.stringify(body),
      });
      assert.equal(reply.status, 200, await reply.text());
      const ofTrace = () =>
        collector.spans().find((span) => span.traceId === trace && span.name === 'scrape');
      assert.equal((await eventually(ofTrace)).parentSpanId, PARENT, path);
    }
    assert.ok(target.seen.every(({ traceparent }) => traceparent === undefined));
  });

  test('the trace of a caller that is not sampled is not sent', async () => {
    const unsampled = await service.scrape(
      { url: `${target.url}/a`, scraper: 'http' },
      { headers: { traceparent: `00-${TRACE.replace('0', '1')}-${PARENT}-00` } },
    );
    const { body } = await service.scrape({ url: `${target.url}/a`, scraper: 'http' });
    await traceOf(body.id!);
    const told = collector
      .spans()
      .some(({ attributes }) => attributes['sluice.scrape_id'] === unsampled.body.id);
    assert.ok(!told);
  });

  test('no path, query, key or header of a scrape is told', async () => {
    const { body } = await service.scrape({
      url: `${target.url}/private-page?token=hunter2`,
      scraper: 'http',
      headers: { authorization: 'Bearer hunter3' },
    });
    await traceOf(body.id!);
    const told = collector.exports.map((seen) => seen.body.toString()).join('\n');
    assert.doesNotMatch(told, /private-page|moved|hunter/);
    assert.ok(!told.includes(TEST_KEY));
  });

  test('the standard variables say where, with which headers, and who', async () => {
    assert.equal(collector.exports[0]!.url, '/v1/traces');
    assert.equal(collector.exports[0]!.headers['x-tenant'], 'mine');
    const resource = collector.resource();
    assert.equal(resource['service.name'], 'sluice');
    assert.equal(resource['deployment.environment.name'], 'test');
    assert.ok(resource['service.instance.id']);
  });

  test('a collector that fails delays nothing, and is logged once', async () => {
    collector.status = 400;
    for (const path of ['/b', '/c'])
      assert.equal((await service.scrape({ url: target.url + path, scraper: 'http' })).status, 200);
    const failures = async () =>
      (await service.log()).filter(({ msg }) => msg === 'spans cannot be sent to the collector');
    await eventually(async () => (await failures()).length > 0);
    collector.status = 200;
    const { body } = await service.scrape({ url: `${target.url}/d`, scraper: 'http' });
    await traceOf(body.id!);
    assert.equal((await failures()).length, 1);
  });
});

/** The packages of OpenTelemetry that a service has loaded when it has done a scrape, with these variables. */
async function loadedPackages(env: NodeJS.ProcessEnv): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-loaded-'));
  const list = join(folder, 'list');
  const hook = `import { registerHooks } from 'node:module'; import { appendFileSync } from 'node:fs';
    registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + '\\n'); return next(url, context); } });`;
  const target = await startTarget();
  const service = await startService({
    ...env,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}`,
  });
  try {
    assert.equal((await service.scrape({ url: `${target.url}/`, scraper: 'http' })).status, 200);
    const loaded = readFileSync(list, 'utf8');
    assert.match(loaded, /fastify/);
    return [...new Set(loaded.match(/@opentelemetry\/[\w-]+/g) ?? [])].sort();
  } finally {
    await service.end();
    target.close();
    rmSync(folder, { recursive: true });
  }
}

describe('what OpenTelemetry costs', () => {
  test('without a collector, none of its packages is loaded but the interface that prom-client uses', async () => {
    const off = {
      OTEL_SERVICE_NAME: 'mine',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_SDK_DISABLED: 'true',
    };
    assert.deepEqual(await loadedPackages(off), ['@opentelemetry/api']);
  });

  test('with one, Protobuf is what it gets', async () => {
    await using collector = await startCollector();
    const packages = await loadedPackages({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own/path`,
    });
    assert.ok(packages.includes('@opentelemetry/exporter-trace-otlp-proto'), String(packages));
    assert.ok(!packages.includes('@opentelemetry/exporter-trace-otlp-http'));
    // What was not yet sent is sent at the end of the service.
    const [seen] = collector.exports;
    assert.equal(seen!.url, '/own/path');
    assert.equal(seen!.headers['content-type'], 'application/x-protobuf');
    for (const name of ['scrape', 'attempt', 'storage']) assert.ok(seen!.body.includes(name));
  });
});
