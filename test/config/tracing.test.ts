import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readTracing } from '../../src/config/tracing.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

describe('the variables of OpenTelemetry', () => {
  const off: Record<string, string>[] = [
    {},
    { OTEL_SERVICE_NAME: 'mine' },
    { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' },
    { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' },
  ];
  for (const env of off)
    test(`traces are off with ${JSON.stringify(env)}`, () => {
      assert.deepEqual(readTracing(env), { settings: null, problem: null });
    });

  test('an endpoint, or the exporter alone, switches them on, with the defaults of the standard', () => {
    const expected = {
      encoding: 'protobuf',
      sampling: { kind: 'always_on', byParent: true, ratio: 1 },
      joins: true,
      batch: {
        scheduledDelayMillis: 5000,
        maxQueueSize: 2048,
        maxExportBatchSize: 512,
        exportTimeoutMillis: 30_000,
      },
    };
    for (const env of [
      ENDPOINT,
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://a.example/v1' },
      { OTEL_TRACES_EXPORTER: 'otlp' },
    ])
      assert.deepEqual(readTracing(env), { settings: expected, problem: null });
  });

  test('what is set for traces comes before what is set for all signals', () => {
    const { settings } = readTracing({
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_PROPAGATORS: 'b3, baggage',
      OTEL_BSP_MAX_QUEUE_SIZE: '100',
    });
    assert.equal(settings?.encoding, 'json');
    assert.deepEqual(settings?.sampling, { kind: 'traceidratio', byParent: false, ratio: 0.25 });
    assert.equal(settings?.joins, false);
    assert.deepEqual([settings?.batch.maxQueueSize, settings?.batch.maxExportBatchSize], [100, 100]);
  });

  const wrong: [variable: string, value: string][] = [
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'collector:4318'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_BSP_SCHEDULE_DELAY', 'soon'],
    ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '5000'],
  ];
  for (const [name, value] of wrong)
    test(`${name}=${value} is refused by its name`, () => {
      const { settings, problem } = readTracing({ ...ENDPOINT, [name]: value });
      assert.equal(settings, null);
      assert.match(problem ?? '', new RegExp(`^${name} must be `));
    });

  test('a share that is no number from 0 to 1 is refused', () => {
    const env = {
      ...ENDPOINT,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '2',
    };
    assert.match(readTracing(env).problem ?? '', /^OTEL_TRACES_SAMPLER_ARG /);
  });
});
