import type { Sampling, TracingSettings } from '../domain/tracing.ts';

type TracingResult =
  /** `settings` is null if traces are off. */
  | { readonly settings: TracingSettings | null; readonly problem: null }
  /** What is wrong, with the name of the variable. */
  | { readonly settings: null; readonly problem: string };

const ENCODINGS: Readonly<Record<string, TracingSettings['encoding']>> = {
  'http/protobuf': 'protobuf',
  'http/json': 'json',
};
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;

class Invalid extends Error {}

/**
 * Whether traces are on, and how. They are on if an endpoint is set, or `OTEL_TRACES_EXPORTER` is `otlp`; off if
 * `OTEL_SDK_DISABLED` is `true` or `OTEL_TRACES_EXPORTER` is `none`. Source: OpenTelemetry, "Environment Variable
 * Specification" and "OpenTelemetry Protocol Exporter". Values that cannot be followed are problems: nothing is ignored.
 */
export function readTracing(env: Readonly<NodeJS.Dict<string>> = process.env): TracingResult {
  const text = (name: string): string | null => env[name]?.trim() || null;
  const exporter = text('OTEL_TRACES_EXPORTER');
  const [endpointName, endpoint] = firstOf(text, 'OTEL_EXPORTER_OTLP_', 'ENDPOINT');
  const isOff = text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || exporter === 'none';
  if (isOff || (endpoint === null && exporter === null)) return { settings: null, problem: null };
  try {
    if (exporter !== null && exporter !== 'otlp')
      throw new Invalid('OTEL_TRACES_EXPORTER must be otlp or none');
    if (endpoint !== null && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
      throw new Invalid(`${endpointName} must be a URL with http or https`);
    const [protocolName, protocol] = firstOf(text, 'OTEL_EXPORTER_OTLP_', 'PROTOCOL');
    const encoding = ENCODINGS[protocol ?? 'http/protobuf'];
    if (encoding === undefined) throw new Invalid(`${protocolName} must be http/protobuf or http/json`);
    const propagators = text('OTEL_PROPAGATORS');
    return {
      settings: {
        encoding,
        sampling: readSampling(text),
        joins: propagators === null || propagators.split(',').some((name) => name.trim() === 'tracecontext'),
        batch: readBatch(text),
      },
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return { settings: null, problem: error.message };
  }
}

type ReadText = (name: string) => string | null;

/** The variable for traces if it is set, else that for all signals. */
function firstOf(text: ReadText, prefix: string, name: string): readonly [string, string | null] {
  const own = `${prefix}TRACES_${name}`;
  const ownText = text(own);
  return ownText === null ? [prefix + name, text(prefix + name)] : [own, ownText];
}

function readSampling(text: ReadText): Sampling {
  const name = text('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  const byParent = name.startsWith('parentbased_');
  const kind = SAMPLERS.find((sampler) => sampler === (byParent ? name.slice('parentbased_'.length) : name));
  if (kind === undefined)
    throw new Invalid(
      `OTEL_TRACES_SAMPLER must be one of ${SAMPLERS.join(', ')}, each also with the prefix parentbased_`,
    );
  const ratio = Number(text('OTEL_TRACES_SAMPLER_ARG') ?? 1);
  if (kind === 'traceidratio' && !(ratio >= 0 && ratio <= 1))
    throw new Invalid('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  return { kind, byParent, ratio };
}

function readBatch(text: ReadText): TracingSettings['batch'] {
  const integer = (name: string, fallback: number): number => {
    const value = Number(text(name) ?? fallback);
    if (!Number.isSafeInteger(value) || value < 1 || value > 2 ** 31 - 1)
      throw new Invalid(`${name} must be a whole number from 1`);
    return value;
  };
  const maxQueueSize = integer('OTEL_BSP_MAX_QUEUE_SIZE', 2048);
  const maxExportBatchSize = integer('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', Math.min(512, maxQueueSize));
  if (maxExportBatchSize > maxQueueSize)
    throw new Invalid('OTEL_BSP_MAX_EXPORT_BATCH_SIZE must be at most OTEL_BSP_MAX_QUEUE_SIZE');
  return {
    scheduledDelayMillis: integer('OTEL_BSP_SCHEDULE_DELAY', 5000),
    maxQueueSize,
    maxExportBatchSize,
    exportTimeoutMillis: integer('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
  };
}
