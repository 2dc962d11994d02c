import type { Endpoint } from '../core/endpoint.ts';
import { ALERTS } from '../endpoints/alerts.ts';
import { ATTENTION } from '../endpoints/attention.ts';
import { AUDIT } from '../endpoints/audit.ts';
import { BATCHES } from '../endpoints/batches.ts';
import { CHANNELS } from '../endpoints/channels.ts';
import { COMPARE } from '../endpoints/compare.ts';
import { COMPARE_RECORDS } from '../endpoints/compare-records.ts';
import { CONTENT } from '../endpoints/content.ts';
import { CRAWLS } from '../endpoints/crawls.ts';
import { DATASETS } from '../endpoints/datasets.ts';
import { DOCS, OPENAPI } from '../endpoints/docs.ts';
import { ERRORS } from '../endpoints/errors.ts';
import { EXPORTS } from '../endpoints/exports.ts';
import { FILES } from '../endpoints/files.ts';
import { HEALTH } from '../endpoints/health.ts';
import { IMPORT } from '../endpoints/import.ts';
import { INVITATIONS } from '../endpoints/invitations.ts';
import { JOB_RESULTS } from '../endpoints/job-results.ts';
import { JOB_CHANGES, JOBS } from '../endpoints/jobs.ts';
import { KEYS } from '../endpoints/keys.ts';
import { LLMS } from '../endpoints/llms.ts';
import { MAPS } from '../endpoints/maps.ts';
import { MONITOR_PREVIEW } from '../endpoints/monitor-preview.ts';
import { MONITORS } from '../endpoints/monitors.ts';
import { NOTIFICATIONS } from '../endpoints/notifications.ts';
import { IDENTITIES, OPEN_ID } from '../endpoints/open-id.ts';
import { PRICES } from '../endpoints/prices.ts';
import { PROFILES } from '../endpoints/profiles.ts';
import { PROXIES } from '../endpoints/proxies.ts';
import { PROXY_CA } from '../endpoints/proxy-ca.ts';
import { PROXY_POOLS } from '../endpoints/proxy-pools.ts';
import { READ } from '../endpoints/read.ts';
import { RECORDS } from '../endpoints/records.ts';
import { SAVED_REQUESTS } from '../endpoints/saved-requests.ts';
import { SCHEDULES } from '../endpoints/schedules.ts';
import { SCRAPE } from '../endpoints/scrape.ts';
import { SCRAPER_LIST } from '../endpoints/scrapers.ts';
import { SECOND_FACTOR } from '../endpoints/second-factor.ts';
import { SESSIONS } from '../endpoints/sessions.ts';
import { SITE_FIGURES } from '../endpoints/site-figures.ts';
import { SITE_LIMITS } from '../endpoints/site-limits.ts';
import { SITES } from '../endpoints/sites.ts';
import { STATS } from '../endpoints/stats.ts';
import { SYSTEM } from '../endpoints/system.ts';
import { TEMPLATES } from '../endpoints/templates.ts';
import { USAGE } from '../endpoints/usage.ts';
import { USERS } from '../endpoints/users.ts';
import { VENDORS } from '../endpoints/vendors.ts';
import { VERSION } from '../endpoints/version.ts';
import { WEBHOOKS } from '../endpoints/webhooks.ts';
import { type ApiDocumentOptions, type OperationTag, openapiDocument } from './openapi.ts';

/** All endpoints with their tags, in the order of the OpenAPI document. The pages of the dashboard are no endpoints. */
const TAGGED: readonly (readonly [OperationTag, readonly Endpoint[]])[] = [
  ['Scrapes', SCRAPE],
  ['Jobs', BATCHES],
  ['Jobs', CRAWLS],
  ['Scrapes', MAPS],
  ['Scrapes', COMPARE],
  ['Scrapes', IMPORT],
  ['Jobs', JOBS],
  ['Jobs', JOB_RESULTS],
  ['Jobs', JOB_CHANGES],
  ['Monitors', MONITOR_PREVIEW],
  ['Jobs', EXPORTS],
  ['Monitors', MONITORS],
  ['Schedules', SCHEDULES],
  ['Datasets', DATASETS],
  ['Alerts', ALERTS],
  ['Alerts', ATTENTION],
  ['Channels', CHANNELS],
  ['Channels', NOTIFICATIONS],
  ['Webhooks', WEBHOOKS],
  ['Scrapes', RECORDS],
  ['Scrapes', CONTENT],
  ['Scrapes', COMPARE_RECORDS],
  ['Scrapes', READ],
  ['Scrapes', FILES],
  ['Keys', KEYS],
  ['Users', USERS],
  ['Users', INVITATIONS],
  ['Session', SESSIONS],
  ['Session', SECOND_FACTOR],
  ['Session', OPEN_ID],
  ['Users', IDENTITIES],
  ['Users', AUDIT],
  ['Stats', STATS],
  ['Stats', USAGE],
  ['Sites', SITE_FIGURES],
  ['Sites', SITES],
  ['Sites', SITE_LIMITS],
  ['Templates', TEMPLATES],
  ['Profiles', PROFILES],
  ['Saved requests', SAVED_REQUESTS],
  ['System', SCRAPER_LIST],
  ['System', PRICES],
  ['Proxies', PROXIES],
  ['Proxies', PROXY_POOLS],
  ['Vendors', VENDORS],
  ['Proxies', PROXY_CA],
  ['System', ERRORS],
  ['System', OPENAPI],
  ['System', HEALTH],
  ['System', DOCS],
  ['System', LLMS],
  ['System', SYSTEM],
  ['System', VERSION],
];

export const ENDPOINTS: readonly Endpoint[] = TAGGED.flatMap(([, endpoints]) => endpoints);

/** The OpenAPI document of this version. */
export const apiDocument = (options: ApiDocumentOptions) =>
  openapiDocument(
    TAGGED.flatMap(([tag, endpoints]) => endpoints.map(({ description }) => ({ ...description, tag }))),
    options,
  );
