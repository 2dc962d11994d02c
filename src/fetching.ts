import { resolve } from 'node:path';
import { createDocumentReader } from './adapters/documents/document-reader.ts';
import { createChatModel } from './adapters/model/chat-completions.ts';
import { createProxies } from './adapters/proxies/create-proxies.ts';
import { createPageReader } from './adapters/reader/page-reader.ts';
import { openSettingsFile, readNamedFile } from './adapters/settings/settings-file.ts';
import { type Clock, systemClock } from './base/time.ts';
import { portOf } from './base/url-patterns.ts';
import { USER_AGENT } from './base/version.ts';
import type { GuardAccess } from './browser/engine/remote-endpoint.ts';
import type { Config } from './config/config.ts';
import { dataPaths } from './config/data-dir.ts';
import { defaultBrowserSlots, readMachinePaths } from './config/machine.ts';
import { unitPriceOf } from './domain/cost.ts';
import { NO_POOLS } from './domain/pools.ts';
import { isVendor, type ScraperName } from './domain/scrapers.ts';
import type { VendorSettings } from './domain/vendors.ts';
import type { Egress } from './egress/egress.ts';
import { createEgress } from './egress/egress.ts';
import type { Logging } from './observe/logger.ts';
import { addVendorGauge, type Metrics } from './observe/metrics.ts';
import type { Scrapers } from './pipeline/attempt.ts';
import type { Coordination } from './ports/coordination.ts';
import type { DocumentReader } from './ports/document-reader.ts';
import type { LanguageModel } from './ports/language-model.ts';
import type { PageReader } from './ports/page-reader.ts';
import type { Proxies, ProxyPools } from './ports/proxies.ts';
import { SettingsError } from './ports/proxies.ts';
import type { Scraper } from './ports/scraper.ts';
import { type BrowserScraper, openBrowserScraper } from './scrapers/browser/open-browser-scraper.ts';
import { createHttpScraper } from './scrapers/http/create-http-scraper.ts';
import { createImpersonateScraper } from './scrapers/impersonate/create-impersonate-scraper.ts';
import { createVendors, type Vendors } from './scrapers/vendor/create-vendors.ts';
import { KINDS } from './scrapers/vendor/kinds.ts';
import { readBrowsers } from './wire/browsers-file.ts';
import { readPools } from './wire/pools-file.ts';
import { readVendors } from './wire/vendors-file.ts';

/** The scraper `browser`, whose browsers run here or on workers. */
export type Browsers = Omit<BrowserScraper, 'useRemoteBrowsers'>;

/** The parts that fetch and read pages. */
export interface Fetching {
  readonly egress: Egress;
  readonly proxies: Proxies;
  readonly proxyPools: ProxyPools;
  /** Reads the file of remote browsers again. */
  readonly reloadBrowsers: () => void;
  readonly scrapers: Scrapers;
  readonly vendors: Vendors;
  readonly browser: Browsers;
  readonly reader: PageReader;
  readonly documents: DocumentReader;
}

export interface FetchingDeps {
  readonly config: Config;
  readonly logging: Logging;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** null: there are no other replicas. */
  readonly coordination: Pick<Coordination, 'limits' | 'values'> | null;
  /** For the limits and pauses of vendors. */
  readonly counting: Pick<Coordination, 'limits' | 'counters' | 'bus'>;
  /** Memory budget for the contents of pages. */
  readonly memoryBytes: number;
  /** The scraper `browser` of a replica that runs no browsers; null: they run here. */
  readonly browserOnWorkers: Browsers | null;
  /** null: there is no such user. */
  readonly findUser: (id: string) => { readonly email: string; readonly isAdmin: boolean } | null;
}

/** @param opened each part is added to it when it is open, so that it is closed even if a later step fails */
export async function openFetching(opened: AsyncDisposableStack, deps: FetchingDeps): Promise<Fetching> {
  const { config, logging, metrics, clock, coordination, memoryBytes, browserOnWorkers, findUser } = deps;
  const ca = config.ca === null ? null : [config.ca];
  const egress = createEgress({
    allow: config.allowAddresses,
    dnsServers: config.dnsServers.length === 0 ? null : config.dnsServers,
    ca,
    clock,
  });
  opened.defer(() => egress.close());
  const scrapers = new Map<ScraperName, Scraper>();
  scrapers.set('http', createHttpScraper({ egress, userAgent: USER_AGENT, ca, clock }));
  scrapers.set('http_impersonate', createImpersonateScraper({ egress, ca, clock }));
  const reader = createPageReader({
    memoryBytes,
    onError: (error) => logging.logger.error({ err: error }, 'unexpected error in a thread that reads pages'),
  });
  opened.defer(() => reader.close());
  const documents = createDocumentReader({
    onError: (error) => logging.logger.error({ err: error }, 'a process that reads a document failed'),
  });
  opened.defer(() => documents.close());
  const { browser, reloadBrowsers } =
    browserOnWorkers === null
      ? await openBrowsers(opened, { config, logging, metrics, clock, findUser, egress, ca, reader })
      : { browser: browserOnWorkers, reloadBrowsers: () => {} };
  scrapers.set('browser', browser);
  for (const scraper of scrapers.values()) opened.defer(() => scraper.close());
  const { proxies, proxyPools } = openProxies(opened, { config, logging, clock, coordination });
  const vendors = openVendors(opened, { ...deps, egress });
  return {
    egress,
    proxies,
    proxyPools,
    reloadBrowsers,
    scrapers: {
      get: (name) => (isVendor(name) ? vendors.get(name) : scrapers.get(name)),
      values: () => scrapers.values(),
      vendors: vendors.list,
    },
    vendors,
    browser,
    reader,
    documents,
  };
}

/** The browsers of this machine, and those on others. */
async function openBrowsers(
  opened: AsyncDisposableStack,
  {
    config,
    logging,
    metrics,
    clock,
    findUser,
    egress,
    ca,
    reader,
  }: Omit<FetchingDeps, 'memoryBytes' | 'browserOnWorkers' | 'coordination' | 'counting'> & {
    readonly egress: Egress;
    readonly ca: readonly string[] | null;
    readonly reader: PageReader;
  },
): Promise<Pick<Fetching, 'browser' | 'reloadBrowsers'>> {
  const { searchPath, ...caches } = readMachinePaths();
  const guard = await openGuard(opened, config, egress);
  const browser = await openBrowserScraper({
    egress,
    ca,
    reader,
    onPhase: metrics.browserPhase,
    dataDir: dataPaths(config).dataDir,
    configured: config.browserPaths,
    searchPath,
    caches,
    slots: config.browserSlots ?? defaultBrowserSlots(),
    sandbox: config.browserSandbox === 'on',
    guard,
    findUser,
    log: (event, fields) => logging.logger.info(fields, event),
  });
  return { browser, reloadBrowsers: openRemoteBrowsers(opened, { config, logging, clock, browser }) };
}

/** What is wrong with a file of proxy pools, as text for people; null: it is valid. */
export function poolsFileProblem(path: string): string | null {
  return settingsFileProblem('SLUICE_PROXIES', path, readPools);
}

/** What is wrong with a file of remote browsers, as text for people; null: it is valid. */
export function browsersFileProblem(path: string, hasGuard: boolean): string | null {
  return settingsFileProblem('SLUICE_BROWSERS', path, (text) => readBrowsers(text, hasGuard));
}

function settingsFileProblem<T>(
  variable: string,
  path: string,
  parse: Parameters<typeof openSettingsFile<T>>[0]['parse'],
): string | null {
  const unusedOptions = { onSettings: () => {}, onRead: () => {}, now: systemClock.now };
  try {
    openSettingsFile({ variable, path: resolve(path), parse, ...unusedOptions })[Symbol.dispose]();
    return null;
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
}

/** Opens the proxy through which remote browsers reach the network; null: none is configured. */
async function openGuard(
  opened: AsyncDisposableStack,
  { browsersFile, guardUrl: url, guardPort, host }: Config,
  egress: Egress,
): Promise<GuardAccess | null> {
  if (browsersFile === null || url === null) {
    if ((url ?? guardPort) === null) return null;
    throw new SettingsError('SLUICE_GUARD_URL needs SLUICE_BROWSERS, and SLUICE_GUARD_PORT needs both');
  }
  const port = guardPort ?? portOf(new URL(url));
  try {
    const guard = await egress.openGuard(host, port);
    opened.defer(() => guard.close());
    return { url, guard };
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new SettingsError(
      `The guard for remote browsers cannot listen on ${host}, port ${port} (${code}): set SLUICE_GUARD_PORT`,
    );
  }
}

/** @returns reads the file again */
function openRemoteBrowsers(
  opened: AsyncDisposableStack,
  {
    config,
    logging,
    clock,
    browser,
  }: Pick<FetchingDeps, 'config' | 'logging' | 'clock'> & { browser: BrowserScraper },
): () => void {
  const { browsersFile, guardUrl } = config;
  if (browsersFile === null) return () => {};
  const file = openSettingsFile({
    variable: 'SLUICE_BROWSERS',
    path: resolve(browsersFile),
    parse: (text) => readBrowsers(text, guardUrl !== null),
    onSettings: browser.useRemoteBrowsers,
    onRead: (problems) =>
      problems === null
        ? logging.logger.info('the file of remote browsers was reloaded')
        : logging.logger.error(
            { problems },
            'the changed file of remote browsers is invalid; the previous browsers stay in use',
          ),
    now: clock.now,
  });
  opened.defer(() => file[Symbol.dispose]());
  browser.useRemoteBrowsers(file.initial);
  return file.reload;
}

/** What is wrong with a file of vendors, as text for people; null: it is valid. */
export function vendorsFileProblem(path: string, hasPrices: boolean): string | null {
  return settingsFileProblem('SLUICE_VENDORS', path, (text) => parseVendors(text, path, hasPrices));
}

const parseVendors = (text: string, path: string, hasPrices: boolean) =>
  readVendors(text, {
    kinds: KINDS,
    hasPrices,
    readKey: (file) => readNamedFile(path, file),
  });

function openVendors(
  opened: AsyncDisposableStack,
  {
    config,
    logging,
    clock,
    counting,
    metrics,
    egress,
  }: Pick<FetchingDeps, 'config' | 'logging' | 'clock' | 'counting' | 'metrics'> & {
    readonly egress: Egress;
  },
): Vendors {
  const unitPrice = unitPriceOf(config.prices);
  const deps = { egress, coordination: counting, unitPrice, clock, onCall: metrics.vendorCalled };
  const open = (settings: readonly VendorSettings[]) => {
    const vendors = createVendors(deps, settings);
    opened.defer(() => vendors.close());
    addVendorGauge(metrics, vendors.list);
    return vendors;
  };
  if (config.vendorsFile === null) return open([]);
  const path = resolve(config.vendorsFile);
  const file = openSettingsFile({
    variable: 'SLUICE_VENDORS',
    path,
    parse: (text) => parseVendors(text, path, config.prices !== null),
    onSettings: (settings) => vendors.replace(settings),
    onRead: (problems) =>
      problems === null
        ? logging.logger.info('the file of vendors was reloaded')
        : logging.logger.error(
            { problems },
            'the changed file of vendors is invalid; the previous vendors stay in use',
          ),
    now: clock.now,
  });
  opened.defer(() => file[Symbol.dispose]());
  const vendors = open(file.initial);
  return vendors;
}

function openProxies(
  opened: AsyncDisposableStack,
  {
    config,
    logging,
    clock,
    coordination,
  }: Pick<FetchingDeps, 'config' | 'logging' | 'clock' | 'coordination'>,
): Pick<Fetching, 'proxies' | 'proxyPools'> {
  const { proxiesFile, allowDirect } = config;
  const proxies = createProxies({ pools: NO_POOLS, allowDirect, clock, coordination });
  const file =
    proxiesFile === null
      ? null
      : openSettingsFile({
          variable: 'SLUICE_PROXIES',
          path: resolve(proxiesFile),
          parse: readPools,
          onSettings: proxies.replacePools,
          onRead: (problems) =>
            problems === null
              ? logging.logger.info('the proxy pools file was reloaded')
              : logging.logger.error(
                  { problems },
                  'the changed proxy pools file is invalid; the previous pools stay in use',
                ),
          now: clock.now,
        });
  if (file !== null) {
    opened.defer(() => file[Symbol.dispose]());
    proxies.replacePools(file.initial);
  }
  const proxyPools: ProxyPools = {
    state: proxies.state,
    file: () => file?.state() ?? null,
    reload: () => file?.reload(),
  };
  return { proxies, proxyPools };
}

/** The operator's model; null: none is configured. */
export function languageModel(config: Config): LanguageModel | null {
  const { llmUrl: url, llmModel: model, llmKey: key, llmContext, llmConcurrency, llmTimeoutMs } = config;
  if (url === null) return null;
  return createChatModel({
    url,
    model,
    key,
    contextTokens: llmContext,
    concurrency: llmConcurrency,
    timeoutMs: llmTimeoutMs,
  });
}
