import { type AttributeValue, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Scrape } from '../domain/scrape.ts';

const tracer = trace.getTracer('sluice');

/**
 * One span for the scrape that has just ended, below the active one. Nothing happens, and nothing is allocated, unless
 * the operator has registered an OpenTelemetry SDK (`node --import`).
 */
export function scrapeSpan(scrape: Scrape, fields: () => Readonly<Record<string, unknown>>): void {
  const span = tracer.startSpan('scrape', { kind: SpanKind.SERVER, startTime: scrape.createdAt });
  if (!span.isRecording()) return;
  for (const [name, value] of Object.entries(fields())) {
    if (value !== null && typeof value !== 'object')
      span.setAttribute(`sluice.${name}`, value as AttributeValue);
  }
  if (scrape.outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(scrape.createdAt + scrape.timing.total);
}
