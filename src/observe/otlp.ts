import { type Context, defaultTextMapGetter, ROOT_CONTEXT } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from './logger.ts';
import { recordSpans } from './spans.ts';
import type { Tracing, TracingOptions } from './tracing.ts';

/** What is still to be sent may not hold up the end of the service. */
const SHUTDOWN_MS = 3_000;

/**
 * Traces by OTLP over HTTP. The exporter reads the address, headers, time limit, compression and certificates from the
 * variables `OTEL_EXPORTER_OTLP_*`; the resource comes from `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`.
 */
export async function createOtlpTracing(options: TracingOptions): Promise<Tracing> {
  const exporter = tellingFailures(await createExporter(options.encoding), options.logger);
  const provider = new TracerProvider({
    sampler: samplerOf(options.sampling),
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'sluice', 'service.version': options.version }))
      .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...options.batch })],
  });
  const tracer = provider.getTracer('sluice', options.version);
  const propagator = new W3CTraceContextPropagator();
  const parentOf = (headers: object | undefined): Context =>
    headers === undefined || !options.joins
      ? ROOT_CONTEXT
      : propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
  return {
    scrapeEnded(scrape, principal, { storing, headers }, path) {
      recordSpans(scrape, principal, storing, {
        tracer,
        parent: parentOf(headers),
        path: options.paths ? path : null,
      });
    },
    async shutdown() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, SHUTDOWN_MS);
      });
      // A failure has been logged.
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      clearTimeout(timer);
    },
  };
}

async function createExporter(encoding: TracingOptions['encoding']): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    encoding === 'json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

function samplerOf({ kind, byParent, ratio }: TracingOptions['sampling']): Sampler {
  const root =
    kind === 'always_on'
      ? new AlwaysOnSampler()
      : kind === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio);
  return byParent ? new ParentBasedSampler({ root }) : root;
}

/** Logs when spans cannot be sent, and when they can be sent again. */
function tellingFailures(exporter: SpanExporter, logger: Logger): SpanExporter {
  let fails = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed && !fails) logger.warn({ err: result.error }, 'spans cannot be sent to the collector');
        if (!failed && fails) logger.info('spans can be sent to the collector again');
        fails = failed;
        done(result);
      });
    },
    forceFlush: async () => await exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
