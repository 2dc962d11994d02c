import { t } from '@lingui/core/macro';
import type { VendorKind } from '../../api/vendors.ts';

type KindName = VendorKind['kind'];

/** What people call the kinds. */
export const KIND_LABELS: Readonly<Record<KindName, string>> = {
  zyte: 'Zyte API',
  scrapfly: 'Scrapfly',
  scrapingbee: 'ScrapingBee',
  scraperapi: 'ScraperAPI',
  zenrows: 'ZenRows',
  scrapedo: 'Scrape.do',
  brightdata: 'Bright Data Web Unlocker',
  oxylabs: 'Oxylabs Web Scraper API',
  firecrawl: 'Firecrawl',
  browserless: 'browserless',
  flaresolverr: 'FlareSolverr',
  sluice: t`Another Sluice`,
  http: t`Your own API`,
};

/** Examples are in constants: they are not translated, and braces in texts would be placeholders. */
const ZONE = '{"zone": "unlocker1"}';
const RAW_RESPONSE = '{"path": "/fetch?url={url}", "answer": {"body": "raw"}}';
const IN_BROWSER = '{"scraper": "browser"}';
const NO_SCRIPTS = '{"render": false}';
const BOT_WALLS = '{"asp": true}';

/** What `options` need or usually have, by kind. Other kinds: `render`. */
const OPTION_HINTS: Readonly<Partial<Record<KindName, string>>> = {
  brightdata: t`Needs the zone of your account: ${ZONE}.`,
  http: t`Describe the request and its response: ${RAW_RESPONSE}.`,
  sluice: t`For example ${IN_BROWSER}.`,
  scrapfly: t`For example ${NO_SCRIPTS}, or ${BOT_WALLS} to get past bot walls.`,
};

export const optionsHint = (kind: KindName): string =>
  OPTION_HINTS[kind] ?? t`For example ${NO_SCRIPTS}: pages are fetched without running their scripts.`;

/** Descriptions of the key, by kind. */
const KEY_HINTS: Readonly<Partial<Record<KindName, string>>> = {
  oxylabs: t`User and password, as user:password.`,
  sluice: t`An API key of the other Sluice.`,
};

export const keyHint = (kind: KindName): string => KEY_HINTS[kind] ?? t`The API key of your account.`;
