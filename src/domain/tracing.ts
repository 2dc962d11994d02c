/** How spans are sampled (`OTEL_TRACES_SAMPLER`). */
export interface Sampling {
  readonly kind: 'always_on' | 'always_off' | 'traceidratio';
  /** A request that joins a trace is sampled if its trace is. */
  readonly byParent: boolean;
  /** Share of the traces, 0 to 1. */
  readonly ratio: number;
}

/** What the standard variables of OpenTelemetry say about traces, as far as its exporter does not read them itself. */
export interface TracingSettings {
  readonly encoding: 'protobuf' | 'json';
  readonly sampling: Sampling;
  /** Whether a request with `traceparent` joins the trace of its caller. */
  readonly joins: boolean;
  readonly batch: {
    readonly scheduledDelayMillis: number;
    readonly maxQueueSize: number;
    readonly maxExportBatchSize: number;
    readonly exportTimeoutMillis: number;
  };
}
