import { resolve } from 'node:path';
import { createDocumentReader } from './adapters/documents/document-reader.ts';
import { createChatModel } from './adapters/model/chat-completions.ts';
import { createProxies } from './adapters/proxies/create-proxies.ts';
import { openPoolsFile } from './adapters/proxies/pools-file.ts';
import { createPageReader } from './adapters/reader/page-reader.ts';
import { type Clock, systemClock } from './base/time.ts';
import { USER_AGENT } from './base/version.ts';
import type { Config } from './config/config.ts';
import { dataPaths } from './config/data-dir.ts';
import { defaultBrowserSlots, readMachinePaths } from './config/machine.ts';
import { NO_POOLS } from './domain/pools.ts';
import type { ScraperName } from './domain/scrapers.ts';
import type { Egress } from './egress/egress.ts';
import { createEgress } from './egress/egress.ts';
import type { Logging } from './observe/logger.ts';
import type { Metrics } from './observe/metrics.ts';
import type { DocumentReader } from './ports/document-reader.ts';
import type { LanguageModel } from './ports/language-model.ts';
import type { PageReader } from './ports/page-reader.ts';
import type { Proxies, ProxyPools } from './ports/proxies.ts';
import { SettingsError } from './ports/proxies.ts';
import type { Scraper } from './ports/scraper.ts';
import { type BrowserScraper, openBrowserScraper } from './scrapers/browser/open-browser-scraper.ts';
import { createHttpScraper } from './scrapers/http/create-http-scraper.ts';
import { createImpersonateScraper } from './scrapers/impersonate/create-impersonate-scraper.ts';
import { readPools } from './wire/pools-file.ts';

/** The parts that fetch and read pages. */
export interface Fetching {
  readonly egress: Egress;
  readonly proxies: Proxies;
  readonly proxyPools: ProxyPools;
  readonly scrapers: ReadonlyMap<ScraperName, Scraper>;
  readonly browser: BrowserScraper;
  readonly reader: PageReader;
  readonly documents: DocumentReader;
}

export interface FetchingDeps {
  readonly config: Config;
  readonly logging: Logging;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** Memory budget for the contents of pages. */
  readonly memoryBytes: number;
}

/** @param opened each part is added to it when it is open, so that it is closed even if a later step fails */
export async function openFetching(
  opened: AsyncDisposableStack,
  { config, logging, metrics, clock, memoryBytes }: FetchingDeps,
): Promise<Fetching> {
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
  const { searchPath, ...caches } = readMachinePaths();
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
    log: (event, fields) => logging.logger.info(fields, event),
  });
  scrapers.set('browser', browser);
  for (const scraper of scrapers.values()) opened.defer(() => scraper.close());
  const { proxies, proxyPools } = openProxies(opened, { config, logging, clock });
  return { egress, proxies, proxyPools, scrapers, browser, reader, documents };
}

/** What is wrong with a file of proxy pools, as text for people; null: it is valid. */
export function poolsFileProblem(path: string): string | null {
  const unusedOptions = { onPools: () => {}, onRead: () => {}, now: systemClock.now };
  try {
    openPoolsFile({ path: resolve(path), parse: readPools, ...unusedOptions })[Symbol.dispose]();
    return null;
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
}

function openProxies(
  opened: AsyncDisposableStack,
  { config, logging, clock }: Pick<FetchingDeps, 'config' | 'logging' | 'clock'>,
): Pick<Fetching, 'proxies' | 'proxyPools'> {
  const { proxiesFile, allowDirect } = config;
  const proxies = createProxies({ pools: NO_POOLS, allowDirect, clock });
  const file =
    proxiesFile === null
      ? null
      : openPoolsFile({
          path: resolve(proxiesFile),
          parse: readPools,
          onPools: proxies.replacePools,
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
    proxies.replacePools(file.initialPools);
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
