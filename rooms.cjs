/**
 * Which room may import which. `npm run check` reads this table and refuses every other import; type imports count.
 * Whoever changes the table says why in docs/decisions.
 */

/** Room (folder of src/) → rooms it may import besides itself. */
const rooms = {
  base: [],
  domain: ['base'],
  ports: ['domain', 'base'],
  egress: ['domain', 'base'],
  content: ['domain', 'base'],
  assess: ['content', 'domain', 'base'],
  router: ['domain', 'base'],
  observe: ['domain', 'base'],
  config: ['domain', 'base'],
  wire: ['domain', 'base'],
  account: ['ports', 'domain', 'base'],
  pipeline: ['assess', 'router', 'content', 'ports', 'observe', 'domain', 'base'],
  webhooks: ['wire', 'ports', 'observe', 'domain', 'base'],
  jobs: ['wire', 'webhooks', 'pipeline', 'account', 'ports', 'observe', 'domain', 'base'],
  http: ['wire', 'webhooks', 'jobs', 'pipeline', 'account', 'ports', 'observe', 'domain', 'base'],
  cli: ['app', 'data', 'wire', 'account', 'config', 'observe', 'ports', 'domain', 'base'],
  upkeep: ['router', 'ports', 'observe', 'domain', 'base'],
  'http-client': ['egress', 'content', 'ports', 'domain', 'base'],
  'browser/engine': ['http-client', 'egress', 'ports', 'domain', 'base'],
  'browser/page': ['browser/engine', 'http-client', 'egress', 'content', 'ports', 'domain', 'base'],
  'scrapers/http': ['http-client', 'egress', 'ports', 'domain', 'base'],
  'scrapers/impersonate': ['http-client', 'egress', 'content', 'ports', 'domain', 'base'],
  'scrapers/browser': ['browser/page', 'browser/engine', 'egress', 'ports', 'domain', 'base'],
  'adapters/proxies': ['ports', 'domain', 'base'],
  'adapters/store': ['ports', 'domain', 'base'],
  'adapters/blobs': ['ports', 'domain', 'base'],
  'adapters/permits': ['ports', 'domain', 'base'],
  'adapters/reader': ['content', 'ports', 'domain', 'base'],
  'adapters/documents': ['ports', 'domain', 'base'],
  'adapters/webhooks': ['http-client', 'egress', 'ports', 'domain', 'base'],
  'adapters/dashboard': ['ports', 'domain', 'base'],
};

/** Room → what it owns, for docs/architecture.md. */
const owns = {
  base: 'clock, deadline, ids, address ranges, memory budget: nothing about scraping',
  domain: 'the types that all rooms share, and the tables of failures, scrapers and options',
  ports: 'interfaces, each with the guarantee that its implementations give',
  egress: 'the only way to the network: address policy, DNS, connecting, proxies, the gateway',
  content: 'bytes to text and data: decompression, charset, sniffing, parsing; no I/O',
  assess: 'the verdict on a page; no I/O',
  router: 'makes the plan of a job, chooses the next step, learns about sites; no I/O',
  observe: 'log, events, metrics, counters of scrapes',
  config: 'reads the environment into a complete configuration, or refuses to start',
  wire: 'the scrape request, its answer and its record as JSON; checking JSON by schemas',
  account: 'users, API keys, limits, budgets',
  pipeline: 'runs a scrape: attempts, limits per site, result',
  webhooks: 'what is sent to webhooks, its signature, when it is sent again',
  jobs: 'runs the items of jobs: who goes next, retries, crawling',
  http: 'Fastify, access, the endpoints with their schemas, the OpenAPI document',
  cli: 'the commands of bin/sluice',
  upkeep: 'background work: retention, storage quota, flushing, storage health',
  'http-client': 'HTTP/1 and HTTP/2 over the sockets of `egress`: TLS, cookies, redirects',
  'browser/engine': 'finds, launches, supervises and drives browsers (drivers: `playwright`, `cdp`)',
  'browser/page': 'one scrape in a page: navigation, waits, actions, capture, screenshots',
  'scrapers/http': 'the scraper `http`',
  'scrapers/impersonate': 'the scraper `http_impersonate`',
  'scrapers/browser': 'the scraper `browser`',
  'adapters/proxies': 'proxy pools, and the health of exits',
  'adapters/store': 'records, users, keys, sessions and counters in a database',
  'adapters/blobs': 'contents too large for the database, as files',
  'adapters/permits': 'counts requests in flight',
  'adapters/reader': 'reads pages in threads: formats, extraction, selectors',
  'adapters/documents': 'reads PDF, office documents, books and tables in processes',
  'adapters/webhooks': 'sends the messages of webhooks',
  'adapters/dashboard': 'builds the dashboard when its sources changed, and serves the files',
};

/** The files in src/ itself. `*`: every room; only app.ts, data.ts, fetching.ts and learning.ts may import all. */
const files = {
  app: ['*', 'data', 'fetching', 'learning'],
  data: ['*'],
  fetching: ['*'],
  learning: ['*'],
  main: ['app', 'data', 'fetching', 'cli', 'config', 'observe', 'ports', 'base'],
};

/** npm package → rooms that may import it. A package that is not here may be imported by nobody. */
const packages = {
  '@node-wreq/linux-x64-gnu': ['scrapers/impersonate'],
  '@exodus/bytes': ['content'],
  '@fastify/cors': ['http'],
  '@opentelemetry/api': ['observe'],
  '@scalar/fastify-api-reference': ['http'],
  ajv: ['wire', 'content'],
  'ajv-formats': ['content'],
  'better-sqlite3': ['adapters/store'],
  'css-select': ['content'],
  'css-what': ['content'],
  domhandler: ['content'],
  fastify: ['http'],
  fflate: ['adapters/documents'],
  htmlparser2: ['content', 'adapters/documents'],
  hucre: ['adapters/documents'],
  'jsonpath-rfc9535': ['content'],
  kysely: ['adapters/store'],
  mammoth: ['adapters/documents'],
  parse5: ['content'],
  pino: ['observe'],
  'playwright-core': ['browser/engine', 'browser/page'],
  'prom-client': ['observe'],
  re2js: ['domain'],
  tldts: ['http-client', 'browser/page'],
  typebox: ['domain', 'wire', 'http'],
  unpdf: ['adapters/documents'],
  yaml: ['config', 'wire'],
};

/** Module of Node → rooms that may import it. One that is not here may be imported by all. */
const builtins = {
  // Scripts of this repository, in a process of their own, with an empty environment; and browsers.
  child_process: ['adapters/dashboard', 'adapters/documents', 'browser/engine'],
  dgram: ['egress'],
  dns: ['egress'],
  fs: [
    'observe',
    'egress',
    'config',
    'account',
    'http',
    'adapters/store',
    'adapters/blobs',
    'adapters/proxies',
    // The browser alone: its binaries and profiles.
    'browser/engine',
    'adapters/dashboard',
    // Which folders exist that a process may read.
    'adapters/documents',
    'cli',
    'app',
    'main',
  ],
  http: ['http-client', 'browser/page', 'http'],
  http2: ['http-client', 'http'],
  https: ['http'],
  // Most of them only for isIP, which belongs to no socket; observe writes its lines without waiting.
  net: [
    'base',
    'observe',
    'egress',
    'http-client',
    'browser/engine',
    'scrapers/impersonate',
    'http',
    'account',
    'config',
  ],
  tls: ['egress', 'http-client', 'browser/engine', 'http'],
  worker_threads: ['adapters/store', 'adapters/blobs', 'adapters/reader', 'adapters/documents'],
};

module.exports = { rooms, owns, files, packages, builtins };
