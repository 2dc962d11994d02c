import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Span, type SpanOptions, trace } from '@opentelemetry/api';
import { recordSpan } from '../../src/observe/events.ts';
import { aScrape } from './a-scrape.ts';

describe('spans', () => {
  after(() => trace.disable());

  it('are not made without an SDK', () => {
    assert.doesNotThrow(() => recordSpan(aScrape(), () => assert.fail()));
  });

  it('have the times and fields of the scrape', () => {
    const told: unknown[] = [];
    const span = {
      isRecording: () => true,
      setAttribute: (name: string, value: unknown) => told.push([name, value]),
      setStatus: () => told.push('status'),
      end: (at: number) => told.push(['end', at]),
    } as unknown as Span;
    trace.setGlobalTracerProvider({
      getTracer: () => ({
        startSpan: (name: string, options?: SpanOptions) => {
          told.push([name, options?.startTime]);
          return span;
        },
        startActiveSpan: () => assert.fail(),
      }),
    });
    const scrape = aScrape();
    recordSpan(scrape, () => ({ host: 'example.com', error_code: null, timing: {} }));
    assert.deepEqual(told, [
      ['scrape', scrape.createdAt],
      ['sluice.host', 'example.com'],
      ['end', scrape.createdAt + 12.3456],
    ]);
  });
});
