import type { VendorKind } from '../../domain/vendors.ts';
import { BRIGHTDATA } from './kinds/brightdata.ts';
import { BROWSERLESS } from './kinds/browserless.ts';
import { FIRECRAWL } from './kinds/firecrawl.ts';
import { FLARESOLVERR } from './kinds/flaresolverr.ts';
import { HTTP } from './kinds/http.ts';
import { OXYLABS } from './kinds/oxylabs.ts';
import { SCRAPEDO } from './kinds/scrapedo.ts';
import { SCRAPERAPI } from './kinds/scraperapi.ts';
import { SCRAPFLY } from './kinds/scrapfly.ts';
import { SCRAPINGBEE } from './kinds/scrapingbee.ts';
import { SLUICE } from './kinds/sluice.ts';
import { ZENROWS } from './kinds/zenrows.ts';
import { ZYTE } from './kinds/zyte.ts';
import type { VendorKindSpec } from './vendor-kind.ts';

/** The APIs that the file of vendors can name. */
export const KINDS: Readonly<Record<VendorKind, VendorKindSpec>> = {
  zyte: ZYTE,
  brightdata: BRIGHTDATA,
  browserless: BROWSERLESS,
  firecrawl: FIRECRAWL,
  flaresolverr: FLARESOLVERR,
  oxylabs: OXYLABS,
  sluice: SLUICE,
  http: HTTP,
  scrapfly: SCRAPFLY,
  scrapingbee: SCRAPINGBEE,
  scraperapi: SCRAPERAPI,
  zenrows: ZENROWS,
  scrapedo: SCRAPEDO,
};
