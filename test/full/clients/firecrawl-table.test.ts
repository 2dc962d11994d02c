import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type {
  BatchScrapeOptions,
  CrawlOptions,
  Firecrawl,
  FormatString,
  MapOptions,
  ScrapeOptions,
} from 'firecrawl';
import type { MadeSite } from '../../helpers/made-site.ts';
import { ROOT } from '../../helpers/repository.ts';
import { useOwnService } from '../../helpers/service.ts';
import { clientOf, startDocsSite } from './firecrawl-site.ts';

/** Values with what they give: `ok`, or words of the refusal. */
type Cases = readonly (readonly [value: unknown, expected: 'ok' | RegExp])[];

const refused = (value: unknown, words = /not supported by this service/): Cases => [[value, words]];
const works = (...values: unknown[]): Cases => values.map((value) => [value, 'ok']);

/** Every option of a scrape that the client knows: the compiler says if one is missing. */
const SCRAPE_OPTIONS = {
  formats: works(['markdown'], []),
  headers: works({ 'X-A': 'b' }),
  includeTags: works(['main']),
  excludeTags: works(['nav'], ['*ads*', '#footer']),
  onlyMainContent: works(true, false),
  timeout: [
    [20_000, 'ok'],
    [10, /timeout_ms/],
  ],
  waitFor: works(0, 10),
  mobile: works(true, false),
  parsers: [
    [['pdf'], 'ok'],
    [[{ type: 'pdf', mode: 'fast' }], 'ok'],
    [[{ type: 'pdf', mode: 'ocr' }], /ocr/],
    [[{ type: 'pdf', maxPages: 2 }], /maxPages/],
    [['image'], /image/],
    [[], /always read/],
  ],
  actions: works([
    { type: 'press', key: 'End' },
    { type: 'press', key: 'PAGE_UP' },
    { type: 'press', key: 'ctrl+HOME' },
    { type: 'write', text: 'a' },
  ]),
  // The service has no proxies; with some, none of them in the country, it is refused.
  location: works({ languages: ['de'] }, { country: 'DE' }, { country: 'us', languages: ['en'] }),
  skipTlsVerification: works(true, false),
  removeBase64Images: [
    [true, 'ok'],
    [false, /never has pictures/],
  ],
  fastMode: works(true, false),
  useMock: refused('mock'),
  blockAds: works(true, false),
  proxy: [
    ['basic', 'ok'],
    ['auto', 'ok'],
    ['stealth', /residential/],
    ['enhanced', /residential/],
    ['other', /must be one of/],
  ],
  maxAge: works(0, 60_000),
  minAge: [
    [0, 'ok'],
    [1, /fetched again/],
  ],
  storeInCache: works(true, false),
  lockdown: [
    [false, 'ok'],
    [true, /no cache/],
  ],
  redactPII: [
    [false, 'ok'],
    [true, /does not redact/],
  ],
  threatProtection: [
    [{ mode: 'off' }, 'ok'],
    [{ mode: 'normal' }, /only knows the mode "off"/],
  ],
  auditMetadata: works({ username: 'me' }),
  profile: [
    [{ name: 'mine' }, 'ok'],
    [{ name: 'mine', saveChanges: false }, 'ok'],
    [{ saveChanges: false }, /must have a name/],
    [{ name: 'a b' }, /profile/],
  ],
  integration: works('test'),
  origin: works('test'),
  // The client sends it only if it is true.
  domainTools: [
    [false, 'ok'],
    [true, /tools of domains/],
  ],
  toolDetail: refused('full'),
} satisfies Record<keyof ScrapeOptions, Cases>;

const JSON_SCHEMA = { type: 'object', properties: { price: { type: 'number' } } };

/** Every format. The values are its options. */
const FORMATS = {
  markdown: works({}),
  html: works({}),
  rawHtml: works({}),
  links: works({}),
  images: works({}),
  screenshot: works({ fullPage: true }, { quality: 50 }, { viewport: { width: 400, height: 300 } }),
  json: [
    [{ schema: JSON_SCHEMA }, 'ok'],
    [{ prompt: 'the price' }, /SLUICE_LLM_URL/],
  ],
  changeTracking: [
    [{ modes: ['git-diff'], tag: 'a' }, 'ok'],
    [{ modes: ['json'] }, /"git-diff"/],
    [{ prompt: 'a' }, /mode `json`/],
  ],
  attributes: works({ selectors: [{ selector: 'a', attribute: 'href' }] }),
  summary: refused({}),
  question: refused({ question: 'What?' }),
  highlights: refused({ query: 'what' }),
  query: refused({ prompt: 'what' }),
  branding: refused({}),
  product: refused({}),
  menu: refused({}),
  audio: refused({}),
  video: refused({}),
} satisfies Record<FormatString | 'question' | 'highlights' | 'query', Cases>;

const CRAWL_OPTIONS = {
  prompt: refused('all blog posts'),
  includePaths: [
    [['/docs/.*'], 'ok'],
    [['/docs/**'], /regular expression/],
    [['(?=a)'], /include/],
  ],
  excludePaths: works(['/admin/*']),
  maxDiscoveryDepth: [
    [1, 'ok'],
    [51, /max_depth/],
  ],
  sitemap: [
    ['include', 'ok'],
    ['only', 'ok'],
    ['skip', 'ok'],
    ['other', /must be one of/],
  ],
  ignoreQueryParameters: works(true, false),
  deduplicateSimilarURLs: works(true, false),
  limit: [
    [1, 'ok'],
    [0, /limit/],
  ],
  crawlEntireDomain: works(true, false),
  allowExternalLinks: works(false),
  allowSubdomains: works(true, false),
  // The client does not send it.
  ignoreRobotsTxt: works(false),
  robotsUserAgent: refused('Me'),
  delay: works(0, 0.01),
  maxConcurrency: works(2),
  webhook: [
    ['http://127.0.0.1:9/hook', /webhook/],
    [{ url: 'https://example.com/', events: ['opened'] }, /must be one of/],
  ],
  scrapeOptions: [
    [{ formats: ['html'] }, 'ok'],
    [{ formats: ['summary'] }, /summary/],
    [{ formats: [{ type: 'json', prompt: 'a' }] }, /SLUICE_LLM_URL/],
    [{ formats: [{ type: 'changeTracking', modes: ['git-diff'] }] }, /not for crawls/],
  ],
  regexOnFullURL: works(true, false),
  zeroDataRetention: [
    [false, 'ok'],
    [true, /kept until/],
  ],
  integration: works('test'),
  origin: works('test'),
} satisfies Record<keyof CrawlOptions, Cases>;

const BATCH_OPTIONS = {
  options: CRAWL_OPTIONS.scrapeOptions,
  webhook: CRAWL_OPTIONS.webhook,
  appendToId: refused('a'),
  ignoreInvalidURLs: works(true, false),
  maxConcurrency: works(1),
  zeroDataRetention: CRAWL_OPTIONS.zeroDataRetention,
  idempotencyKey: works('key'),
  integration: works('test'),
  origin: works('test'),
} satisfies Record<keyof BatchScrapeOptions, Cases>;

const MAP_OPTIONS = {
  search: works('first'),
  sitemap: works('include', 'only', 'skip'),
  includeSubdomains: works(true, false),
  ignoreQueryParameters: works(true, false),
  limit: [
    [1, 'ok'],
    [100_001, /limit/],
  ],
  timeout: works(5_000),
  integration: works('test'),
  origin: works('test'),
  // The service has no proxies; with some, none of them in the country, it is refused.
  location: works({ languages: ['de'] }, { country: 'DE' }, { country: 'us', languages: ['en'] }),
  threatProtection: SCRAPE_OPTIONS.threatProtection,
  auditMetadata: refused({ username: 'me' }),
} satisfies Record<keyof MapOptions, Cases>;

/** Methods that call what is not offered. Those of other tests are not here. */
const REFUSED_METHODS: Readonly<Record<string, (client: Firecrawl) => Promise<unknown>>> = {
  interact: (client) => client.interact('a', { code: '1' }),
  stopInteraction: (client) => client.stopInteraction('a'),
  scrapeExecute: (client) => client.scrapeExecute('a', { code: '1' }),
  stopInteractiveBrowser: (client) => client.stopInteractiveBrowser('a'),
  deleteScrapeBrowser: (client) => client.deleteScrapeBrowser('a'),
  parse: (client) => client.parse({ data: 'text', filename: 'a.html', contentType: 'text/html' }),
  search: (client) => client.search('anything'),
  developerSearch: (client) => client.developerSearch('anything'),
  feedback: (client) => client.feedback({ endpoint: 'search', jobId: 'a', rating: 'good' } as never),
  searchFeedback: (client) => client.searchFeedback('a', { rating: 'good' } as never),
  crawlParamsPreview: (client) => client.crawlParamsPreview('https://example.com/', 'blog posts'),
  startAgent: (client) => client.startAgent({ prompt: 'do it' }),
  getAgentStatus: (client) => client.getAgentStatus('a'),
  listAgents: (client) => client.listAgents(),
  agent: (client) => client.agent({ prompt: 'do it' }),
  cancelAgent: (client) => client.cancelAgent('a'),
  getAgentTrace: (client) => client.getAgentTrace('a'),
  getAgentSnapshot: (client) => client.getAgentSnapshot('a', 'b'),
  getAgentThread: (client) => client.getAgentThread('a'),
  browser: (client) => client.browser(),
  browserExecute: (client) => client.browserExecute('a', { code: '1' }),
  deleteBrowser: (client) => client.deleteBrowser('a'),
  listBrowsers: (client) => client.listBrowsers(),
  getCreditUsageHistorical: (client) => client.getCreditUsageHistorical(),
  getTokenUsageHistorical: (client) => client.getTokenUsageHistorical(),
};

/** Methods that work: see the other tests of the client. */
const METHODS = [
  ...[
    'scrape',
    'map',
    'crawl',
    'startCrawl',
    'getCrawlStatus',
    'cancelCrawl',
    'getCrawlErrors',
    'getActiveCrawls',
  ],
  ...['startBatchScrape', 'getBatchScrapeStatus', 'getBatchScrapeErrors', 'cancelBatchScrape', 'batchScrape'],
  ...['startExtract', 'getExtractStatus', 'extract', 'watcher'],
  ...['getConcurrency', 'getCreditUsage', 'getTokenUsage', 'getQueueStatus'],
  ...['createMonitor', 'listMonitors', 'getMonitor', 'updateMonitor', 'deleteMonitor', 'runMonitor'],
  ...['listMonitorChecks', 'getMonitorCheck'],
  // Old names of the same.
  ...['scrapeUrl', 'crawlUrl', 'asyncCrawlUrl', 'checkCrawlStatus', 'checkCrawlErrors', 'mapUrl'],
  ...['batchScrapeUrls', 'asyncBatchScrapeUrls', 'checkBatchScrapeStatus', 'checkBatchScrapeErrors'],
];

/** No calls of their own, or checked apart. */
const OTHER_MEMBERS = ['findTools', 'constructor', 'isCloudService', 'research', 'v1'];

describe('every method and option of the client of Firecrawl is supported or refused with words', () => {
  const service = useOwnService({ SLUICE_DIALECTS: 'firecrawl' });
  let site: MadeSite;
  let client: Firecrawl;
  before(async () => {
    site = await startDocsSite();
    client = clientOf(service);
    const body = { name: 'mine', sites: [new URL(site.url).hostname] };
    assert.equal((await service.api('POST', '/api/v1/profiles/', { body })).status, 201);
  });
  after(() => site[Symbol.asyncDispose]());

  const check = async (name: string, cases: Cases, call: (value: unknown) => Promise<unknown>) => {
    for (const [value, expected] of cases) {
      const text = `${name}: ${JSON.stringify(value)}`;
      const error = await call(value).then(
        () => null,
        (error: Error & { status?: number }) => error,
      );
      if (expected === 'ok') assert.equal(error, null, `${text}: ${error?.message}`);
      else {
        assert.ok(error !== null, `${text} is accepted`);
        assert.equal(error.status, 400, `${text}: ${error.message}`);
        assert.match(error.message, expected, text);
      }
    }
  };
  const page = () => `${site.url}/docs/first`;
  const entries = (table: Readonly<Record<string, Cases>>) => Object.entries(table);

  test('options of scrapes', async () => {
    for (const [name, cases] of entries(SCRAPE_OPTIONS))
      await check(name, cases, (value) => client.scrape(page(), { [name]: value }));
  });

  test('formats', async () => {
    for (const [type, cases] of entries(FORMATS))
      await check(type, cases, (value) =>
        client.scrape(page(), { formats: [{ type, ...(value as object) } as never] }),
      );
  });

  test('options of crawls', async () => {
    for (const [name, cases] of entries(CRAWL_OPTIONS))
      await check(name, cases, (value) => client.startCrawl(page(), { limit: 1, [name]: value }));
  });

  test('options of batches', async () => {
    for (const [name, cases] of entries(BATCH_OPTIONS))
      await check(name, cases, (value) => client.startBatchScrape([page()], { [name]: value }));
  });

  test('options of maps', async () => {
    for (const [name, cases] of entries(MAP_OPTIONS))
      await check(name, cases, (value) => client.map(page(), { [name]: value }));
  });

  test('methods', async () => {
    for (const [name, call] of Object.entries(REFUSED_METHODS)) {
      const error = await call(client).then(
        () => null,
        (error: Error & { status?: number }) => error,
      );
      assert.ok(error !== null, `${name} works`);
      assert.ok([400, 404].includes(error.status!), `${name}: ${error.status} ${error.message}`);
      assert.match(error.message, /not supported by this service/, name);
    }
    // It is a scrape without a URL.
    await assert.rejects(client.findTools(), /Unrecognized key/);
    await assert.rejects(client.research.searchPapers('anything'), /404/);
    const known = new Set([...METHODS, ...Object.keys(REFUSED_METHODS), ...OTHER_MEMBERS]);
    const all = Object.getOwnPropertyNames(Object.getPrototypeOf(client));
    assert.deepEqual(
      all.filter((name) => !known.has(name)),
      [],
    );
  });

  test('the guide names every option', () => {
    const guide = readFileSync(`${ROOT}/docs/guides/from-firecrawl.md`, 'utf8');
    for (const table of [SCRAPE_OPTIONS, FORMATS, CRAWL_OPTIONS, BATCH_OPTIONS, MAP_OPTIONS])
      for (const name of Object.keys(table)) assert.ok(guide.includes(`\`${name}\``), name);
  });
});
