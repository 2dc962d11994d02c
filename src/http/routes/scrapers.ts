import type { FastifyInstance } from 'fastify';
import type { Prices } from '../../domain/prices.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { Browsers } from '../../ports/browsers.ts';
import { scrapersObject } from '../../wire/scrapers-json.ts';
import { admission, type Gate } from '../admission.ts';

/** Which scrapers there are, and why others are not. */
export function scraperRoutes(
  app: FastifyInstance,
  parts: {
    readonly gate: Gate;
    readonly pipeline: Pipeline;
    readonly browsers: Browsers;
    readonly prices: Prices | null;
  },
): void {
  app.get('/api/v1/scrapers', { onRequest: admission(parts.gate, { scope: 'read' }) }, async () => {
    await parts.pipeline.look(null);
    const { pipeline, browsers, prices } = parts;
    return scrapersObject(pipeline.unavailable, await browsers.list(), browsers.state(), prices);
  });
}
