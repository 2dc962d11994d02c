import { trimBlanks } from '../../base/trim-blanks.ts';
import { DEFAULT_MAX_REDIRECTS, type Format, type ScraperOptions } from '../../domain/job.ts';
import { notAvailable, type Problems, wrong } from '../schema/problems.ts';
import { asksFor } from './asks-for.ts';
import { readExtract } from './extract.ts';
import { badHeaderValue } from './headers.ts';
import {
  DEFAULT_CONTENT_BYTES,
  LATER_FORMATS,
  LATER_OPTIONS,
  type ScraperOptionsAsk,
} from './options-schema.ts';

const DEFAULTS: ScraperOptions = Object.freeze({
  maxContentBytes: DEFAULT_CONTENT_BYTES,
  verifyTls: true,
  http2: 'auto',
  impersonate: null,
  maxRedirects: DEFAULT_MAX_REDIRECTS,
  userAgent: null,
  contentEncoding: 'auto',
  formats: [],
  extract: null,
});

export function readOptions(ask: ScraperOptionsAsk | undefined, problems: Problems): ScraperOptions {
  if (ask === undefined) return DEFAULTS;
  const before = problems.length;
  const extract = readExtract(ask.extract, '/scraper_options/extract', problems);
  const agent = trimBlanks(ask.user_agent ?? '');
  const complaint = badHeaderValue(agent);
  if (complaint !== null) wrong(problems, '/scraper_options/user_agent', complaint);
  if (problems.length === before) {
    for (const name of LATER_OPTIONS)
      if (asksFor(ask[name])) notAvailable(problems, `/scraper_options/${name}`);
    ask.formats?.forEach((format, at) => {
      if (LATER_FORMATS.some((later) => later === format))
        notAvailable(problems, `/scraper_options/formats/${at}`, `\`${format}\``);
    });
  }
  return {
    maxContentBytes: ask.max_content_bytes ?? DEFAULTS.maxContentBytes,
    verifyTls: ask.verify_tls ?? DEFAULTS.verifyTls,
    http2: ask.http2 ?? DEFAULTS.http2,
    impersonate: ask.impersonate ?? DEFAULTS.impersonate,
    maxRedirects: ask.max_redirects ?? DEFAULTS.maxRedirects,
    userAgent: agent === '' ? null : agent,
    contentEncoding: (ask.content_encoding as ScraperOptions['contentEncoding'] | undefined) ?? 'auto',
    formats: ask.formats === undefined ? DEFAULTS.formats : ([...new Set(ask.formats)] as Format[]),
    extract: extract.length === 0 ? null : extract,
  };
}
