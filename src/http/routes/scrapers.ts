import type { FastifyInstance } from 'fastify';
import type { Prices } from '../../domain/cost.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { BrowserMonitor } from '../../ports/scraper.ts';
import { scrapersObject } from '../../wire/scrapers-json.ts';
import { type AdmissionControl, admissionHook } from '../access.ts';

/** Which scrapers there are, and why others are not. */
export function scraperRoutes(
  app: FastifyInstance,
  parts: {
    readonly gate: AdmissionControl;
    readonly pipeline: Pipeline;
    readonly browsers: BrowserMonitor;
    readonly prices: Prices | null;
  },
): void {
  app.get('/api/v1/scrapers', { onRequest: admissionHook(parts.gate, { scope: 'read' }) }, async () => {
    await parts.pipeline.discover(null);
    const { pipeline, browsers, prices } = parts;
    return scrapersObject(pipeline.unavailable, await browsers.list(), browsers.state(), prices);
  });
}
