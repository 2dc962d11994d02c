import { DIALECT_NAMES, type DialectName } from '../domain/dialects.ts';
import type { ReplicaRole } from '../domain/replicas.ts';
import { OIDC_VARIABLES } from './oidc-variables.ts';
import {
  baseUrl,
  browserPath,
  byteSize,
  decimal,
  dnsServer,
  email,
  encryptionKeys,
  flag,
  guardUrl,
  host,
  integer,
  invalid,
  ipRange,
  list,
  oneOf,
  optionalVariable,
  origin,
  pem,
  pemKey,
  postgresUrl,
  proxyRange,
  receiver,
  redisAddress,
  secretText,
  type Variable,
  valid,
  variable,
} from './parsers.ts';
import { parsePrices } from './prices.ts';
import { S3_VARIABLES } from './s3-variables.ts';
import { SMTP_VARIABLES } from './smtp-variables.ts';

/** A browser that the operator has configured. */
export interface BrowserPath {
  readonly type: 'chromium' | 'firefox' | 'webkit' | 'chrome' | 'msedge';
  readonly path: string;
}

export type CorsOrigins =
  | { readonly kind: 'off' }
  | { readonly kind: 'any' }
  | { readonly kind: 'list'; readonly origins: readonly string[] };

const noTexts: readonly string[] = Object.freeze([]);
const noDialects: readonly DialectName[] = Object.freeze([]);
const noBrowsers: readonly BrowserPath[] = Object.freeze([]);
const parseOrigins = list(origin);

/** All variables. Each entry becomes a member of `Config`. */
export const VARIABLES = {
  host: variable({
    name: 'SLUICE_HOST',
    fallback: '127.0.0.1',
    doc: 'Address to listen on. `0.0.0.0` or `::` for all.',
    parse: host,
  }),
  port: variable({
    name: 'SLUICE_PORT',
    fallback: 8080,
    doc: 'Port to listen on. `0`: any free port.',
    parse: integer(0, 65535),
  }),
  role: variable<ReplicaRole>({
    name: 'SLUICE_ROLE',
    fallback: 'all',
    doc: 'What this process does, one of several on the same `SLUICE_DATABASE_URL`. `api`: serves requests; no browsers, jobs, webhooks and monitors. `worker`: these alone, for all; it serves only `/healthz`, `/readyz` and `/metrics`. `all`: both. See [many machines](scaling.md).',
    parse: oneOf('all', 'api', 'worker'),
  }),
  dataDir: variable({
    name: 'SLUICE_DATA_DIR',
    fallback: './data',
    doc: 'Folder for the database and all other data.',
    parse: (text) => (text.includes('\0') ? invalid('must be a path') : valid(text)),
  }),
  databaseUrl: optionalVariable({
    name: 'SLUICE_DATABASE_URL',
    fallbackText: 'SQLite in the data folder',
    doc: 'PostgreSQL (version 14 or newer) for all stored data: `postgres://user:password@host:5432/database`. Any number of services may share it: see [PostgreSQL](postgresql.md). It is called directly: the address policy and the proxies of scrapes do not apply.',
    secret: true,
    parse: postgresUrl,
  }),
  databaseDirectUrl: optionalVariable({
    name: 'SLUICE_DATABASE_DIRECT_URL',
    fallbackText: '`SLUICE_DATABASE_URL`',
    doc: 'The same database without a pooler, if `SLUICE_DATABASE_URL` leads to one (such as PgBouncer): for updates of its tables, and for notifications.',
    secret: true,
    parse: postgresUrl,
  }),
  databaseReadUrl: optionalVariable({
    name: 'SLUICE_DATABASE_READ_URL',
    fallbackText: '`SLUICE_DATABASE_URL`',
    doc: 'A read replica of the same database: lists of scrapes and statistics are read there, and may be some seconds old.',
    secret: true,
    parse: postgresUrl,
  }),
  redis: optionalVariable({
    name: 'SLUICE_REDIS_URL',
    fallbackText: 'PostgreSQL counts',
    doc: 'Redis (6.2 or newer) or Valkey, which counts requests in flight for all services of `SLUICE_DATABASE_URL`, and has pacing, proxies of sessions and clearances: `redis://user:password@host:6379/0`, `rediss://` for TLS; several hosts with `?cluster` or `?sentinel=NAME`. While it is gone, PostgreSQL counts.',
    secret: true,
    parse: redisAddress,
  }),
  baseUrl: optionalVariable({
    name: 'SLUICE_BASE_URL',
    fallbackText: '`http://<host>:<port>`',
    doc: 'URL at which callers reach the service, used for links in responses. May have a path prefix. It is never derived from the `Host` header.',
    parse: baseUrl,
  }),
  trustedProxies: variable<readonly string[]>({
    name: 'SLUICE_TRUSTED_PROXIES',
    fallback: noTexts,
    doc: 'Addresses or CIDR ranges of reverse proxies in front of the service, comma-separated; also `loopback`, `linklocal`, `uniquelocal`. `X-Forwarded-*` headers are only trusted from these.',
    parse: list(proxyRange),
  }),
  secret: optionalVariable({
    name: 'SLUICE_SECRET',
    fallbackText: 'created at the first start, stored in the data folder',
    doc: 'Secret for signing links; at least 16 characters.',
    secret: true,
    noFile: true,
    parse: secretText(16, 1024),
  }),
  encryptionKeys: optionalVariable({
    name: 'SLUICE_ENCRYPTION_KEY',
    fallbackText: 'created at the first start, stored in the data folder',
    doc: 'Keys that encrypt what is stored of secrets, separated by commas or line breaks, the newest first. Each has 32 bytes in base64 or hexadecimal: `openssl rand -base64 32`. See [operation](operation.md#encryption).',
    secret: true,
    parse: encryptionKeys,
  }),
  adminEmail: variable({
    name: 'SLUICE_ADMIN_EMAIL',
    fallback: 'admin@localhost',
    doc: 'E-mail of the first user, an administrator.',
    parse: email,
  }),
  adminPassword: optionalVariable({
    name: 'SLUICE_ADMIN_PASSWORD',
    doc: 'Password of the administrator; at least 8 characters. A changed value is applied at the next start. An unchanged value does not overwrite a password set in the dashboard.',
    secret: true,
    parse: secretText(8, 1024),
  }),
  passwordCost: variable({
    name: 'SLUICE_PASSWORD_COST',
    fallback: 15,
    doc: 'Cost of hashing a password: log2 of the parameter N of scrypt, 10 to 18. 15 takes 32 MiB and about a quarter of a second; each step doubles both. After a change, a password is hashed again when its user signs in.',
    parse: integer(10, 18),
  }),
  apiKey: optionalVariable({
    name: 'SLUICE_API_KEY',
    fallbackText: 'created and shown at the first start',
    doc: 'An API key of the administrator: 16 to 200 characters of `A-Z a-z 0-9 . _ ~ + / = -`.',
    secret: true,
    parse: secretText(16, 200, /^[A-Za-z0-9._~+/=-]+$/, 'A-Z a-z 0-9 . _ ~ + / = -'),
  }),
  allowAddresses: variable<readonly string[]>({
    name: 'SLUICE_ALLOW_ADDRESSES',
    fallback: noTexts,
    doc: 'Addresses or CIDR ranges outside the public internet that scrapes may reach, comma-separated.',
    parse: list(ipRange),
  }),
  webhookAllow: variable<readonly string[]>({
    name: 'SLUICE_WEBHOOK_ALLOW',
    fallback: noTexts,
    doc: 'Receivers outside the public internet that webhooks may reach, comma-separated: `host:port`, addresses or CIDR ranges.',
    parse: list(receiver),
  }),
  exportAllow: variable<readonly string[]>({
    name: 'SLUICE_EXPORT_ALLOW',
    fallback: noTexts,
    doc: 'Targets outside the public internet that exports may be sent to, comma-separated: `host:port`, addresses or CIDR ranges.',
    parse: list(receiver),
  }),
  dnsServers: variable<readonly string[]>({
    name: 'SLUICE_DNS_SERVERS',
    fallback: noTexts,
    fallbackText: 'name servers of the system',
    doc: 'Name servers for resolving targets, comma-separated: `192.0.2.1`, `192.0.2.1:5353`, `[2001:db8::1]:5353`.',
    parse: list(dnsServer),
  }),
  retentionDays: variable({
    name: 'SLUICE_RETENTION_DAYS',
    fallback: 7,
    doc: 'Days after which records are deleted. Fractions are allowed, `0` is not.',
    parse: decimal({ above: 0, max: 36_500 }),
  }),
  screenshotHours: variable({
    name: 'SLUICE_SCREENSHOT_HOURS',
    fallback: 24,
    doc: 'Hours after which links to screenshots and files expire. Fractions are allowed, `0` is not. Reading a record again returns new links.',
    parse: decimal({ above: 0, max: 876_000 }),
  }),
  storageBytes: optionalVariable({
    name: 'SLUICE_STORAGE_BYTES',
    fallbackText: 'half of the free disk space at the first start, at most 50 GB',
    doc: 'Disk space for records, such as `20GB`. Not with `SLUICE_DATABASE_URL`. Contents in S3 count only if it is set. If it is used up, the oldest records lose their content first, then their files, then their screenshots, and then they are deleted.',
    parse: byteSize(1e6, '1MB'),
  }),
  memoryBytes: optionalVariable({
    name: 'SLUICE_MEMORY_BYTES',
    fallbackText: 'a quarter of the memory of the machine or container',
    doc: 'Memory for the content of running scrapes, such as `512MiB`. The process needs up to 300 MB in addition. If the memory is used up, scrapes wait within their time limit.',
    parse: byteSize(16 * 2 ** 20, '16MiB'),
  }),
  durability: variable<'normal' | 'full'>({
    name: 'SLUICE_DURABILITY',
    fallback: 'normal',
    doc: '`normal`: records survive a crash of the process. `full`: they also survive a power failure, at the cost of more disk writes. With `SLUICE_DATABASE_URL`, the settings of PostgreSQL decide.',
    parse: oneOf('normal', 'full'),
  }),
  browserPaths: variable<readonly BrowserPath[]>({
    name: 'SLUICE_BROWSER_PATH',
    fallback: noBrowsers,
    fallbackText: 'browsers found on the machine, else the bundled Chromium',
    doc: 'Browsers to prefer over those found on the machine: absolute paths, comma-separated, each with its type unless it is a Chromium: `/opt/chromium/chrome,firefox=/opt/firefox/firefox`. Types: `chromium`, `chrome`, `msedge`; `firefox` and `webkit` are listed by this version, but not used yet.',
    parse: list(browserPath),
  }),
  browserSlots: optionalVariable({
    name: 'SLUICE_BROWSER_SLOTS',
    fallbackText: 'two per core, limited by the memory',
    doc: 'Maximum number of pages open in browsers at once, 1 to 256. A user who has no page gets one more if others use all slots. Scrapes wait for a slot within their time limit.',
    parse: integer(1, 256),
  }),
  browserWarm: variable({
    name: 'SLUICE_BROWSER_WARM',
    fallback: true,
    doc: 'Start a browser two seconds after the service. If false, the first scrape that needs a browser starts it, and waits for it.',
    parse: flag,
  }),
  browserSandbox: variable<'on' | 'off'>({
    name: 'SLUICE_BROWSER_SANDBOX',
    fallback: 'on',
    doc: '`on`: browsers only run with their sandbox. `off`: they run without it, for containers that forbid user namespaces; a page that exploits the browser then has the permissions of its user.',
    parse: oneOf('on', 'off'),
  }),
  probeBudget: variable({
    name: 'SLUICE_PROBE_BUDGET',
    fallback: 0,
    doc: 'Daily budget for probes, in units of effort (a plain HTTP request is 1). A probe fetches a page again with a cheaper method, in the background, to find out whether that method works too. Only plain GET requests without data, cookies and credentials are probed. `0`: no probes.',
    parse: decimal({ max: 1_000_000_000 }),
  }),
  drainSeconds: variable({
    name: 'SLUICE_DRAIN_SECONDS',
    fallback: 25,
    doc: 'How long running scrapes may continue after the service is told to stop.',
    parse: decimal({ max: 3600 }),
  }),
  drainDelaySeconds: optionalVariable({
    name: 'SLUICE_DRAIN_DELAY_SECONDS',
    fallbackText: '5 with `SLUICE_DATABASE_URL`, else 0',
    doc: 'How long the service still accepts requests after it is told to stop, while `/readyz` says 503: as long as a load balancer needs to notice. The drain begins afterwards.',
    parse: decimal({ max: 300 }),
  }),
  metricsToken: optionalVariable({
    name: 'SLUICE_METRICS_TOKEN',
    fallbackText: 'none: only loopback',
    doc: 'Bearer token for reading `/metrics` from other machines; at least 16 characters.',
    secret: true,
    noFile: true,
    parse: secretText(16, 200, /^[A-Za-z0-9._~+/=-]+$/, 'A-Z a-z 0-9 . _ ~ + / = -'),
  }),
  tracePaths: variable({
    name: 'SLUICE_TRACE_PATHS',
    fallback: false,
    doc: 'The spans of [traces](operation.md#traces) name the path of the target, not only its host. A query is never named.',
    parse: flag,
  }),
  corsOrigins: variable<CorsOrigins>({
    name: 'SLUICE_CORS_ORIGINS',
    fallback: Object.freeze({ kind: 'off' as const }),
    fallbackText: 'none',
    doc: 'Origins whose pages may call the API from a browser, comma-separated; `*` for all.',
    parse: (text) => {
      if (text === '*') return valid(Object.freeze({ kind: 'any' as const }));
      const parsed = parseOrigins(text);
      if (parsed.problem !== null) return parsed;
      return parsed.value.length === 0
        ? invalid('must contain at least one origin')
        : valid(Object.freeze({ kind: 'list' as const, origins: parsed.value }));
    },
  }),
  logLevel: variable<'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'>({
    name: 'SLUICE_LOG_LEVEL',
    fallback: 'info',
    doc: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
    parse: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  }),
  logFormat: variable<'auto' | 'json' | 'text'>({
    name: 'SLUICE_LOG_FORMAT',
    fallback: 'auto',
    doc: '`json`: one JSON object per line. `text`: lines for people. `auto`: text on a terminal, otherwise JSON.',
    parse: oneOf('auto', 'json', 'text'),
  }),
  ca: optionalVariable({
    name: 'SLUICE_CA_FILE',
    doc: 'PEM file with additional certificate authorities to trust for targets.',
    readsFile: true,
    parse: pem,
  }),
  prices: optionalVariable({
    name: 'SLUICE_PRICES',
    doc: 'File (YAML or JSON) with the prices of scrapers and proxies; see [costs.md](costs.md).',
    readsFile: true,
    parse: parsePrices,
  }),
  llmUrl: optionalVariable({
    name: 'SLUICE_LLM_URL',
    doc: 'Base URL of a server with the chat completions of OpenAI, such as `http://127.0.0.1:11434/v1`. Its model finds what the format `json` does not find without it. It is called directly: the address policy and the proxies of scrapes do not apply.',
    parse: baseUrl,
  }),
  llmModel: variable({
    name: 'SLUICE_LLM_MODEL',
    fallback: 'default',
    doc: 'Name of the model.',
    parse: (text) => (text.length > 200 ? invalid('must have at most 200 characters') : valid(text)),
  }),
  llmKey: optionalVariable({
    name: 'SLUICE_LLM_KEY',
    doc: 'Key for the server of the model, sent as a bearer token.',
    secret: true,
    parse: secretText(1, 4096, /^[\x21-\x7e]+$/, 'visible ASCII characters'),
  }),
  llmContext: variable({
    name: 'SLUICE_LLM_CONTEXT',
    fallback: 16_384,
    doc: 'Context of the model in tokens, for page and answer together. Of a longer page, the parts most like the schema are sent.',
    parse: integer(2048, 10_000_000),
  }),
  llmConcurrency: variable({
    name: 'SLUICE_LLM_CONCURRENCY',
    fallback: 4,
    doc: 'Calls of the model at once.',
    parse: integer(1, 1000),
  }),
  llmTimeoutMs: variable({
    name: 'SLUICE_LLM_TIMEOUT_MS',
    fallback: 60_000,
    doc: 'Time limit for asking the model about one page, with all retries, in milliseconds.',
    parse: integer(100, 600_000),
  }),
  proxiesFile: optionalVariable({
    name: 'SLUICE_PROXIES',
    doc: 'File (YAML or JSON) with proxy pools, read again when it changes; see [proxies.md](proxies.md).',
    parse: valid,
  }),
  browsersFile: optionalVariable({
    name: 'SLUICE_BROWSERS',
    doc: 'File (YAML or JSON) with browsers on other machines, read again when it changes; see [remote browsers](guides/remote-browsers.md).',
    parse: valid,
  }),
  vendorsFile: optionalVariable({
    name: 'SLUICE_VENDORS',
    doc: 'File (YAML or JSON) with other scraping services, read again when it changes; see [vendors](guides/vendors.md).',
    parse: valid,
  }),
  guardUrl: optionalVariable({
    name: 'SLUICE_GUARD_URL',
    doc: 'For `SLUICE_BROWSERS`: `http://host:port` by which remote browsers reach the guard of this process, a proxy that checks every address.',
    parse: guardUrl,
  }),
  guardPort: optionalVariable({
    name: 'SLUICE_GUARD_PORT',
    fallbackText: 'the port of `SLUICE_GUARD_URL`',
    doc: 'Port of the guard on `SLUICE_HOST`.',
    parse: integer(1, 65535),
  }),
  robots: variable<'ignore' | 'report' | 'respect'>({
    name: 'SLUICE_ROBOTS',
    fallback: 'ignore',
    doc: 'Minimum strictness of `router.robots` for every request: `ignore`, `report` or `respect`.',
    parse: oneOf('ignore', 'report', 'respect'),
  }),
  autoIdentity: variable<'browser' | 'honest'>({
    name: 'SLUICE_AUTO_IDENTITY',
    fallback: 'browser',
    doc: 'How `auto` identifies itself to targets, unless the request sets a `User-Agent`. `browser`: it can use `http_impersonate`, and its browsers send the `User-Agent` of a browser. `honest`: every request says `Sluice/<version>`, and `http_impersonate` is not used. Scrapers named in a request are not affected.',
    parse: oneOf('browser', 'honest'),
  }),
  jobConcurrency: variable({
    name: 'SLUICE_JOB_CONCURRENCY',
    fallback: 32,
    doc: 'Items of jobs that may run at once, of all users. They take none of the places for concurrent requests.',
    parse: integer(1, 1_000),
  }),
  jobHostConcurrency: variable({
    name: 'SLUICE_JOB_HOST_CONCURRENCY',
    fallback: 8,
    doc: 'Items of jobs that may run at once on one host, over all jobs.',
    parse: integer(1, 1_000),
  }),
  siteConcurrency: optionalVariable({
    name: 'SLUICE_SITE_CONCURRENCY',
    fallbackText: 'no limit',
    doc: 'Maximum number of concurrent attempts per host, over all users, 1 to 10000. Others wait within their time limit.',
    parse: integer(1, 10_000),
  }),
  dialects: variable<readonly DialectName[]>({
    name: 'SLUICE_DIALECTS',
    fallback: noDialects,
    doc: 'APIs of other systems to offer beside our own, comma-separated: `firecrawl`, `scrapingbee`, `zyte`. Clients of these systems work with the URL and a key of this service.',
    parse: list(oneOf(...DIALECT_NAMES)),
  }),
  proxyPort: optionalVariable({
    name: 'SLUICE_PROXY_PORT',
    doc: 'Port of an HTTP proxy on `SLUICE_HOST` whose requests are scrapes; see [the proxy port](guides/proxy-port.md). `0`: any free port.',
    parse: integer(0, 65535),
  }),
  proxyTlsCert: optionalVariable({
    name: 'SLUICE_PROXY_TLS_CERT',
    doc: 'PEM file with the certificate of the proxy port itself, and those of its issuers; with `SLUICE_PROXY_TLS_KEY`. Clients then use `https://` in the URL of the proxy.',
    readsFile: true,
    parse: pem,
  }),
  proxyTlsKey: optionalVariable({
    name: 'SLUICE_PROXY_TLS_KEY',
    doc: 'PEM file with the key for `SLUICE_PROXY_TLS_CERT`.',
    readsFile: true,
    parse: pemKey,
  }),
  dashboard: variable({
    name: 'SLUICE_DASHBOARD',
    fallback: true,
    doc: 'Serve the dashboard at `/`. If false, only the API is served.',
    parse: flag,
  }),
  allowDirect: variable({
    name: 'SLUICE_ALLOW_DIRECT',
    fallback: true,
    doc: 'Allow scrapes without a proxy, from the IP address of this server.',
    parse: flag,
  }),
  ...S3_VARIABLES,
  ...SMTP_VARIABLES,
  ...OIDC_VARIABLES,
  remoteUrl: optionalVariable({
    name: 'SLUICE_URL',
    doc: 'For commands such as `scrape`, `crawl`, `jobs` and `mcp`: base URL of the service that they use. It wins over `sluice login`. See [the command line](command-line.md).',
    parse: baseUrl,
  }),
  remoteKey: optionalVariable({
    name: 'SLUICE_KEY',
    doc: 'For the same commands: API key of the service of `SLUICE_URL`.',
    secret: true,
    parse: secretText(16, 200, /^[\x21-\x7e]+$/, 'visible ASCII characters'),
  }),
} as const satisfies Record<string, Variable<unknown>>;

interface VariableGroup {
  /** All of them are set, or none. */
  readonly required: readonly VariableName[];
  /** Need the others. */
  readonly optional: readonly VariableName[];
}

type VariableName = keyof typeof VARIABLES;

/** Variables that have a meaning only together. */
export const VARIABLE_GROUPS: readonly VariableGroup[] = [
  { required: ['smtpServer', 'smtpFrom'], optional: [] },
  {
    required: ['oidcIssuer', 'oidcClientId', 'oidcClientSecret'],
    optional: ['oidcScopes', 'oidcName', 'oidcSignUp', 'oidcRoleClaim', 'oidcRoles'],
  },
  { required: ['oidcRoleClaim'], optional: ['oidcRoles'] },
  {
    required: ['s3Endpoint', 's3Bucket', 's3AccessKeyId', 's3SecretAccessKey'],
    optional: ['s3Region', 's3Prefix', 's3ForcePathStyle'],
  },
];
