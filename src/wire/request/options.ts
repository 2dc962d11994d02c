import type { ScraperOptions } from '../../domain/job.ts';
import { checkDepth } from '../schema/depth.ts';
import { notAvailable, type Problems, wrong } from '../schema/problems.ts';
import { asksFor } from './browser-only.ts';
import { checkExtract } from './extract.ts';
import { badHeaderValue } from './headers.ts';
import {
  DEFAULT_CONTENT_BYTES,
  DEFAULT_MAX_REDIRECTS,
  LATER_OPTIONS,
  type ScraperOptionsAsk,
} from './options-schema.ts';

const DEFAULTS: ScraperOptions = Object.freeze({
  maxContentBytes: DEFAULT_CONTENT_BYTES,
  verifyTls: true,
  http2: 'auto',
  maxRedirects: DEFAULT_MAX_REDIRECTS,
  userAgent: null,
  contentEncoding: 'auto',
});

export function readOptions(ask: ScraperOptionsAsk | undefined, problems: Problems): ScraperOptions {
  if (ask === undefined) return DEFAULTS;
  const before = problems.length;
  checkExtract(ask.extract, '/scraper_options/extract', problems);
  checkDepth(ask.storage_state, '/scraper_options/storage_state', problems);
  const agent = ask.user_agent ?? '';
  const complaint = badHeaderValue(agent);
  if (complaint !== null) wrong(problems, '/scraper_options/user_agent', complaint);
  if (problems.length === before) {
    for (const name of LATER_OPTIONS)
      if (asksFor(ask[name])) notAvailable(problems, `/scraper_options/${name}`);
  }
  return {
    maxContentBytes: ask.max_content_bytes ?? DEFAULTS.maxContentBytes,
    verifyTls: ask.verify_tls ?? DEFAULTS.verifyTls,
    http2: ask.http2 ?? DEFAULTS.http2,
    maxRedirects: ask.max_redirects ?? DEFAULTS.maxRedirects,
    userAgent: agent === '' ? null : agent,
    contentEncoding: (ask.content_encoding as ScraperOptions['contentEncoding'] | undefined) ?? 'auto',
  };
}
