import {
  baseUrl,
  browserPath,
  byteSize,
  decimal,
  dnsServer,
  email,
  flag,
  host,
  integer,
  ipRange,
  list,
  oneOf,
  origin,
  pem,
  proxyRange,
  secretText,
} from './parsers.ts';
import { type PriceList, prices } from './prices.ts';
import { type Variable, value, variable, wrong } from './variable.ts';

/** A browser that the operator names. */
export interface BrowserPath {
  readonly type: 'chromium' | 'firefox' | 'webkit' | 'chrome' | 'msedge';
  readonly path: string;
}

export type CorsOrigins =
  | { readonly kind: 'off' }
  | { readonly kind: 'any' }
  | { readonly kind: 'list'; readonly origins: readonly string[] };

const none: readonly string[] = Object.freeze([]);
const noBrowsers: readonly BrowserPath[] = Object.freeze([]);
const origins = list(origin);

/** Every variable of this version. One entry is one member of `Config`. */
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
    doc: 'Port to listen on; `0` takes any free one.',
    parse: integer(0, 65535),
  }),
  dataDir: variable({
    name: 'SLUICE_DATA_DIR',
    fallback: './data',
    doc: 'Folder for the database and everything else that is kept.',
    parse: (text) => (text.includes('\0') ? wrong('must be a path') : value(text)),
  }),
  baseUrl: variable<string | null>({
    name: 'SLUICE_BASE_URL',
    fallback: null,
    fallbackText: '`http://<host>:<port>`',
    doc: 'The address under which callers reach the service, for links in answers; a path prefix is allowed. It is never taken from the `Host` header.',
    parse: baseUrl,
  }),
  trustedProxies: variable<readonly string[]>({
    name: 'SLUICE_TRUSTED_PROXIES',
    fallback: none,
    doc: 'Addresses or CIDR ranges of reverse proxies in front of the service (also `loopback`, `linklocal`, `uniquelocal`), comma-separated. Only from these `X-Forwarded-*` is believed.',
    parse: list(proxyRange),
  }),
  secret: variable<string | null>({
    name: 'SLUICE_SECRET',
    fallback: null,
    fallbackText: 'made at the first start, kept in the data folder',
    doc: 'Signs links; at least 16 characters.',
    secret: true,
    noFile: true,
    parse: secretText(16, 1024),
  }),
  adminEmail: variable({
    name: 'SLUICE_ADMIN_EMAIL',
    fallback: 'admin@localhost',
    doc: 'E-mail of the first user, an administrator.',
    parse: email,
  }),
  adminPassword: variable<string | null>({
    name: 'SLUICE_ADMIN_PASSWORD',
    fallback: null,
    doc: 'Password of the administrator; at least 8 characters. A changed one is set at the next start; otherwise what was set in the dashboard since then stays.',
    secret: true,
    parse: secretText(8, 1024),
  }),
  passwordCost: variable({
    name: 'SLUICE_PASSWORD_COST',
    fallback: 15,
    doc: 'What hashing a password costs, log2 of the N of scrypt, 10 to 18: 15 takes 32 MiB and about a quarter of a second, each step more twice as much. A password is hashed again when its user signs in after a change.',
    parse: integer(10, 18),
  }),
  apiKey: variable<string | null>({
    name: 'SLUICE_API_KEY',
    fallback: null,
    fallbackText: 'made and shown at the first start',
    doc: 'An API key of the administrator: 16 to 200 characters of `A-Z a-z 0-9 . _ ~ + / = -`.',
    secret: true,
    parse: secretText(16, 200, /^[A-Za-z0-9._~+/=-]+$/, 'A-Z a-z 0-9 . _ ~ + / = -'),
  }),
  allowAddresses: variable<readonly string[]>({
    name: 'SLUICE_ALLOW_ADDRESSES',
    fallback: none,
    doc: 'Addresses or CIDR ranges outside the public internet that scrapes may reach, comma-separated.',
    parse: list(ipRange),
  }),
  dnsServers: variable<readonly string[]>({
    name: 'SLUICE_DNS_SERVERS',
    fallback: none,
    fallbackText: 'those of the system',
    doc: 'Name servers for targets, comma-separated: `192.0.2.1`, `192.0.2.1:5353`, `[2001:db8::1]:5353`.',
    parse: list(dnsServer),
  }),
  retentionDays: variable({
    name: 'SLUICE_RETENTION_DAYS',
    fallback: 7,
    doc: 'Days after which records are deleted; fractions are allowed, `0` is not.',
    parse: decimal(0, 36_500),
  }),
  screenshotHours: variable({
    name: 'SLUICE_SCREENSHOT_HOURS',
    fallback: 24,
    doc: 'How long links to screenshots are good; fractions are allowed, `0` is not. A scrape that is read again has fresh ones.',
    parse: decimal(0, 876_000),
  }),
  storageBytes: variable<number | null>({
    name: 'SLUICE_STORAGE_BYTES',
    fallback: null,
    fallbackText: 'half of what is free at the first start, at most 50 GB',
    doc: 'Room for records, such as `20GB`. Beyond it the contents of the oldest records go first, then their screenshots, then the oldest records.',
    parse: byteSize(1e6, '1MB'),
  }),
  memoryBytes: variable<number | null>({
    name: 'SLUICE_MEMORY_BYTES',
    fallback: null,
    fallbackText: 'a quarter of the memory of the machine or container',
    doc: 'Memory for the contents of running scrapes, such as `512MiB`; the process needs up to 300 MB besides. Scrapes wait for room within their time.',
    parse: byteSize(16 * 2 ** 20, '16MiB'),
  }),
  durability: variable<'normal' | 'full'>({
    name: 'SLUICE_DURABILITY',
    fallback: 'normal',
    doc: '`normal`: records survive the death of the process; `full`: also loss of power, for more disk work.',
    parse: oneOf('normal', 'full'),
  }),
  browserPaths: variable<readonly BrowserPath[]>({
    name: 'SLUICE_BROWSER_PATH',
    fallback: noBrowsers,
    fallbackText: 'what is found on the machine, else the Chromium that comes along',
    doc: 'Browsers to use before all that are found: absolute paths, comma-separated, each with its type unless it is a Chromium: `/opt/chromium/chrome,firefox=/opt/firefox/firefox`. Types: `chromium`, `chrome`, `msedge`; also `firefox` and `webkit`, which this version lists but does not use yet.',
    parse: list(browserPath),
  }),
  browserSlots: variable<number | null>({
    name: 'SLUICE_BROWSER_SLOTS',
    fallback: null,
    fallbackText: 'two for each core, as far as the memory goes',
    doc: 'How many pages are open in browsers at once, 1 to 256; one more for a user who has none while others have them all. Scrapes wait for a slot within their time.',
    parse: integer(1, 256),
  }),
  browserWarm: variable({
    name: 'SLUICE_BROWSER_WARM',
    fallback: true,
    doc: 'Whether a browser is started two seconds after the service. Without it the first scrape that needs one waits for its start, and where none does there is none.',
    parse: flag,
  }),
  browserSandbox: variable<'on' | 'off'>({
    name: 'SLUICE_BROWSER_SANDBOX',
    fallback: 'on',
    doc: "`on`: a browser runs only with the sandbox between its pages and this machine. `off`: without it, for containers that forbid user namespaces; a page that breaks the browser then has the rights of the browser's user.",
    parse: oneOf('on', 'off'),
  }),
  probeBudget: variable({
    name: 'SLUICE_PROBE_BUDGET',
    fallback: 0,
    doc: 'Units of effort (a plain fetch is 1) that probes may take a day: pages that came by an expensive way are now and then fetched once more by a cheaper one, beside the request, to find out whether that would do. Only plain GETs without data, cookies and credentials. 0: none.',
    parse: decimal(null, 1_000_000_000),
  }),
  drainSeconds: variable({
    name: 'SLUICE_DRAIN_SECONDS',
    fallback: 25,
    doc: 'How long running scrapes may go on when the service is told to stop.',
    parse: decimal(null, 3600),
  }),
  metricsToken: variable<string | null>({
    name: 'SLUICE_METRICS_TOKEN',
    fallback: null,
    fallbackText: 'none: only from loopback',
    doc: 'With this bearer token `/metrics` can be read from elsewhere, too; at least 16 characters.',
    secret: true,
    noFile: true,
    parse: secretText(16, 200, /^[A-Za-z0-9._~+/=-]+$/, 'A-Z a-z 0-9 . _ ~ + / = -'),
  }),
  corsOrigins: variable<CorsOrigins>({
    name: 'SLUICE_CORS_ORIGINS',
    fallback: Object.freeze({ kind: 'off' as const }),
    fallbackText: 'none',
    doc: 'Origins whose pages may call the API from a browser, comma-separated; `*` for all.',
    parse: (text) => {
      if (text === '*') return value(Object.freeze({ kind: 'any' as const }));
      const parsed = origins(text);
      if (parsed.wrong !== null) return parsed;
      return parsed.value.length === 0
        ? wrong('must hold at least one origin')
        : value(Object.freeze({ kind: 'list' as const, origins: parsed.value }));
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
    doc: '`json`: one JSON object a line; `text`: lines for people; `auto`: text on a terminal, else JSON.',
    parse: oneOf('auto', 'json', 'text'),
  }),
  ca: variable<string | null>({
    name: 'SLUICE_CA_FILE',
    fallback: null,
    doc: 'PEM file with certificates of further authorities that targets may be signed by.',
    readsFile: true,
    parse: pem,
  }),
  prices: variable<PriceList | null>({
    name: 'SLUICE_PRICES',
    fallback: null,
    doc: 'File (YAML or JSON) with what fetching costs; see [docs/costs.md](docs/costs.md).',
    readsFile: true,
    parse: prices,
  }),
  proxiesFile: variable<string | null>({
    name: 'SLUICE_PROXIES',
    fallback: null,
    doc: 'File (YAML or JSON) with proxy pools, read again when it changes; see [docs/proxies.md](docs/proxies.md).',
    parse: value,
  }),
  robots: variable<'ignore' | 'report' | 'respect'>({
    name: 'SLUICE_ROBOTS',
    fallback: 'ignore',
    doc: 'The least that holds for `router.robots` of every request: `ignore`, `report` or `respect`.',
    parse: oneOf('ignore', 'report', 'respect'),
  }),
  autoIdentity: variable<'browser' | 'honest'>({
    name: 'SLUICE_AUTO_IDENTITY',
    fallback: 'browser',
    doc: "What `auto` looks like to targets, unless the request names a `User-Agent`. `browser`: it may take `http_impersonate`, and its browsers send a browser's `User-Agent`. `honest`: every request says `Sluice/<version>`, and `http_impersonate` is left out. Scrapers that a request names are as ever.",
    parse: oneOf('browser', 'honest'),
  }),
  siteConcurrency: variable<number | null>({
    name: 'SLUICE_SITE_CONCURRENCY',
    fallback: null,
    fallbackText: 'no limit',
    doc: 'How many attempts are at one host at once, over all users, 1 to 10000. Others wait for their turn within their time.',
    parse: integer(1, 10_000),
  }),
  dashboard: variable({
    name: 'SLUICE_DASHBOARD',
    fallback: true,
    doc: 'Whether the dashboard is served at `/`. Without it there is only the API.',
    parse: flag,
  }),
  allowDirect: variable({
    name: 'SLUICE_ALLOW_DIRECT',
    fallback: true,
    doc: 'Whether scrapes may leave from the own address of this host.',
    parse: flag,
  }),
} as const satisfies Record<string, Variable<unknown>>;

/** Names of the contract for what this version does not have. Set, they are refused: nothing is silently ignored. */
export const NOT_YET: readonly string[] = ['SLUICE_DATABASE_URL', 'SLUICE_REDIS_URL'];

/** All names that begin like this are not in this version either. */
export const NOT_YET_PREFIX = 'SLUICE_S3_';
