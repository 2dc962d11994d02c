import { resolve } from 'node:path';
import { createDocumentReader } from './adapters/documents/document-reader.ts';
import { createChatModel } from './adapters/model/chat-completions.ts';
import { createPageReader } from './adapters/reader/page-reader.ts';
import { openSettingsFile } from './adapters/settings/settings-file.ts';
import { portOf } from './base/url-patterns.ts';
import { USER_AGENT } from './base/version.ts';
import type { GuardAccess } from './browser/engine/remote-endpoint.ts';
import type { Config } from './config/config.ts';
import { dataPaths } from './config/data-dir.ts';
import { defaultBrowserSlots, readMachinePaths } from './config/machine.ts';
import { isVendor, type ScraperName } from './domain/scrapers.ts';
import type { Egress } from './egress/egress.ts';
import { createEgress } from './egress/egress.ts';
import type { Scrapers } from './pipeline/attempt.ts';
import {
  openProxies,
  openVendors,
  type PoolsAndVendorsDeps,
  settingsFileProblem,
} from './pools-and-vendors.ts';
import type { DocumentReader } from './ports/document-reader.ts';
import type { LanguageModel } from './ports/language-model.ts';
import type { OpenLogin } from './ports/logins.ts';
import type { PageReader } from './ports/page-reader.ts';
import type { Proxies, ProxyPools } from './ports/proxies.ts';
import { SettingsError } from './ports/proxies.ts';
import type { Scraper } from './ports/scraper.ts';
import type { VendorDirectory } from './ports/vendors.ts';
import { type BrowserScraper, openBrowserScraper } from './scrapers/browser/open-browser-scraper.ts';
import { createHttpScraper } from './scrapers/http/create-http-scraper.ts';
import { createImpersonateScraper } from './scrapers/impersonate/create-impersonate-scraper.ts';
import type { Vendors } from './scrapers/vendor/create-vendors.ts';
import { type OpenTestHosts, openTestHosts } from './test-hosts/open-test-hosts.ts';
import { readBrowsers } from './wire/browsers-file.ts';

/** The scraper `browser`, whose browsers run here or on workers. */
export type Browsers = Omit<BrowserScraper, 'useRemoteBrowsers'>;

/** The parts that fetch and read pages. */
export interface Fetching {
  readonly egress: Egress;
  readonly proxies: Proxies;
  readonly proxyPools: ProxyPools;
  readonly vendorDirectory: VendorDirectory;
  /** Reads the file of remote browsers again. */
  readonly reloadBrowsers: () => void;
  readonly scrapers: Scrapers;
  readonly vendors: Vendors;
  readonly browser: Browsers;
  readonly reader: PageReader;
  readonly documents: DocumentReader;
}

export interface FetchingDeps extends PoolsAndVendorsDeps {
  readonly openLogin: OpenLogin;
  /** Memory budget for the contents of pages. */
  readonly memoryBytes: number;
  /** The scraper `browser` of a replica that runs no browsers; null: they run here. */
  readonly browserOnWorkers: Browsers | null;
  /** null: there is no such user. */
  readonly findUser: (id: string) => { readonly email: string; readonly isAdmin: boolean } | null;
}

/** @param opened each part is added to it when it is open, so that it is closed even if a later step fails */
export async function openFetching(opened: AsyncDisposableStack, deps: FetchingDeps): Promise<Fetching> {
  const { config, logging, metrics, clock, memoryBytes, browserOnWorkers, findUser, openLogin } = deps;
  const ca = config.ca === null ? null : [config.ca];
  const testHosts = openTestHosts(clock, (address, port) => egress.addOwnListener(address, port));
  const egress = createEgress({
    allow: config.allowAddresses,
    dnsServers: config.dnsServers.length === 0 ? null : config.dnsServers,
    ...{ ca, testHosts, clock },
  });
  opened.defer(() => testHosts.close());
  opened.defer(() => egress.close());
  const ofTargets = [...(ca ?? []), testHosts.ca];
  const scrapers = new Map<ScraperName, Scraper>();
  scrapers.set('http', createHttpScraper({ egress, userAgent: USER_AGENT, ca: ofTargets, clock }));
  scrapers.set('http_impersonate', createImpersonateScraper({ egress, ca: ofTargets, clock }));
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
      ? await openBrowsers(opened, {
          ...{ config, logging, metrics, clock, findUser, openLogin, egress, ca, testHosts, reader },
        })
      : { browser: browserOnWorkers, reloadBrowsers: () => {} };
  scrapers.set('browser', browser);
  for (const scraper of scrapers.values()) opened.defer(() => scraper.close());
  const { proxies, proxyPools } = openProxies(opened, deps);
  const { vendors, vendorDirectory } = openVendors(opened, deps, egress);
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
    vendorDirectory,
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
    openLogin,
    egress,
    ca,
    testHosts,
    reader,
  }: Pick<FetchingDeps, 'config' | 'logging' | 'metrics' | 'clock' | 'findUser' | 'openLogin'> & {
    readonly egress: Egress;
    readonly ca: readonly string[] | null;
    readonly testHosts: OpenTestHosts;
    readonly reader: PageReader;
  },
): Promise<Pick<Fetching, 'browser' | 'reloadBrowsers'>> {
  const { searchPath, ...caches } = readMachinePaths();
  const guard = await openGuard(opened, config, egress);
  const browser = await openBrowserScraper({
    egress,
    ca,
    testHosts,
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
    openLogin,
    log: (event, fields) => logging.logger.info(fields, event),
  });
  return { browser, reloadBrowsers: openRemoteBrowsers(opened, { config, logging, clock, browser }) };
}

/** What is wrong with a file of remote browsers, as text for people; null: it is valid. */
export function browsersFileProblem(path: string, hasGuard: boolean): string | null {
  return settingsFileProblem('SLUICE_BROWSERS', path, (text) => readBrowsers(text, hasGuard));
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
