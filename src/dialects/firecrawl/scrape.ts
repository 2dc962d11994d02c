import { BadRequest } from './bad-request.ts';
import type { DialectCall } from './dialect-call.ts';
import { documentOf, type OwnScrape } from './document.ts';
import { newDraft, requestOf, wantedOf } from './draft.ts';
import { type Json, objectAt, textAt } from './members.ts';
import { readScrapeOptions } from './scrape-options.ts';
import { settle } from './settle.ts';

/** `POST /v2/scrape`. */
export async function scrape({ body, caller, deps, idempotency }: DialectCall): Promise<Json> {
  const { url, ...options } = objectAt(body, 'The request');
  const draft = newDraft();
  readScrapeOptions(options, draft, '');
  const target = targetAt(url, 'url');
  await settle(draft, { caller, hasModel: deps.hasModel });
  const answer = await caller.post('/api/v1/scrape/', { url: target, ...requestOf(draft) }, idempotency);
  return { success: true, data: documentOf(answer as unknown as OwnScrape, target, wantedOf(draft)) };
}

/** A URL; `example.com` is short for `http://example.com`, as in Firecrawl. */
export function targetAt(value: unknown, at: string): string {
  const text = textAt(value, at).trim();
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw new BadRequest(`${at}: Invalid URL ${JSON.stringify(text)}.`);
  return url;
}
