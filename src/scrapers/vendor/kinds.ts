import type { VendorKind } from '../../domain/vendors.ts';
import { BRIGHTDATA } from './kinds/brightdata.ts';
import { BROWSERLESS } from './kinds/browserless.ts';
import { FIRECRAWL } from './kinds/firecrawl.ts';
import { FLARESOLVERR } from './kinds/flaresolverr.ts';
import { HTTP } from './kinds/http.ts';
import { OXYLABS } from './kinds/oxylabs.ts';
import { SLUICE } from './kinds/sluice.ts';
import { ZYTE } from './kinds/zyte.ts';
import type { VendorKindSpec } from './vendor-kind.ts';

/** The APIs that the file of vendors can name. */
export const KINDS = {
  zyte: ZYTE,
  brightdata: BRIGHTDATA,
  browserless: BROWSERLESS,
  firecrawl: FIRECRAWL,
  flaresolverr: FLARESOLVERR,
  oxylabs: OXYLABS,
  sluice: SLUICE,
  http: HTTP,
} as unknown as Readonly<Record<VendorKind, VendorKindSpec>>;
