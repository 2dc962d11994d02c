import type { Endpoint } from './endpoint.ts';
import { ALERTS } from './endpoints/alerts.ts';
import { ATTENTION } from './endpoints/attention.ts';
import { AUDIT } from './endpoints/audit.ts';
import { BATCHES } from './endpoints/batches.ts';
import { COMPARE } from './endpoints/compare.ts';
import { COMPARE_RECORDS } from './endpoints/compare-records.ts';
import { CONTENT } from './endpoints/content.ts';
import { CRAWLS } from './endpoints/crawls.ts';
import { DOCS, OPENAPI } from './endpoints/docs.ts';
import { ERRORS } from './endpoints/errors.ts';
import { FILES } from './endpoints/files.ts';
import { HEALTH } from './endpoints/health.ts';
import { IMPORT } from './endpoints/import.ts';
import { INVITATIONS } from './endpoints/invitations.ts';
import { JOBS } from './endpoints/jobs.ts';
import { KEYS } from './endpoints/keys.ts';
import { LLMS } from './endpoints/llms.ts';
import { MAPS } from './endpoints/maps.ts';
import { MONITORS } from './endpoints/monitors.ts';
import { OPEN_ID } from './endpoints/open-id.ts';
import { PROXIES } from './endpoints/proxies.ts';
import { PROXY_CA } from './endpoints/proxy-ca.ts';
import { PROXY_POOLS } from './endpoints/proxy-pools.ts';
import { READ } from './endpoints/read.ts';
import { RECORDS } from './endpoints/records.ts';
import { SAVED_REQUESTS } from './endpoints/saved-requests.ts';
import { SCRAPE } from './endpoints/scrape.ts';
import { SCRAPER_LIST } from './endpoints/scrapers.ts';
import { SECOND_FACTOR } from './endpoints/second-factor.ts';
import { SESSIONS } from './endpoints/sessions.ts';
import { SITE_FIGURES } from './endpoints/site-figures.ts';
import { SITES } from './endpoints/sites.ts';
import { STATS } from './endpoints/stats.ts';
import { SYSTEM } from './endpoints/system.ts';
import { TEMPLATES } from './endpoints/templates.ts';
import { USAGE } from './endpoints/usage.ts';
import { USERS } from './endpoints/users.ts';
import { VENDORS } from './endpoints/vendors.ts';
import { VERSION } from './endpoints/version.ts';
import { WEBHOOKS } from './endpoints/webhooks.ts';
import { type ApiDocumentOptions, openapiDocument } from './openapi.ts';

/** All endpoints, in the order of the OpenAPI document. The pages of the dashboard are no endpoints. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...SCRAPE,
  ...BATCHES,
  ...CRAWLS,
  ...MAPS,
  ...COMPARE,
  ...IMPORT,
  ...JOBS,
  ...MONITORS,
  ...ALERTS,
  ...ATTENTION,
  ...WEBHOOKS,
  ...RECORDS,
  ...CONTENT,
  ...COMPARE_RECORDS,
  ...READ,
  ...FILES,
  ...KEYS,
  ...USERS,
  ...INVITATIONS,
  ...SESSIONS,
  ...SECOND_FACTOR,
  ...OPEN_ID,
  ...AUDIT,
  ...STATS,
  ...USAGE,
  ...SITE_FIGURES,
  ...SITES,
  ...TEMPLATES,
  ...SAVED_REQUESTS,
  ...SCRAPER_LIST,
  ...PROXIES,
  ...PROXY_POOLS,
  ...VENDORS,
  ...PROXY_CA,
  ...ERRORS,
  ...OPENAPI,
  ...HEALTH,
  ...DOCS,
  ...LLMS,
  ...SYSTEM,
  ...VERSION,
];

/** The OpenAPI document of this version. */
export const apiDocument = (options: ApiDocumentOptions) =>
  openapiDocument(
    ENDPOINTS.map(({ description }) => description),
    options,
  );
