import { resolve } from 'node:path';
import { createProxies } from './adapters/proxies/create-proxies.ts';
import { openSettingsFile, readNamedFile, type SettingsFile } from './adapters/settings/settings-file.ts';
import { type Clock, systemClock } from './base/time.ts';
import type { Config } from './config/config.ts';
import { unitPriceOf } from './domain/cost.ts';
import { NO_POOLS, type Pools } from './domain/pools.ts';
import type { VendorSettings } from './domain/vendors.ts';
import type { Egress } from './egress/egress.ts';
import type { Logging } from './observe/logger.ts';
import { addVendorGauge, type Metrics } from './observe/metrics.ts';
import type { SampleCounters } from './observe/sample-counters.ts';
import type { Coordination } from './ports/coordination.ts';
import { type Proxies, type ProxyPools, SettingsError } from './ports/proxies.ts';
import type {
  PriceSettings,
  SettingEntry,
  SettingKind,
  StoredSetting,
  StoredSettings,
} from './ports/settings.ts';
import type { VendorDirectory } from './ports/vendors.ts';
import { createVendors, type Vendors, type VendorsDeps } from './scrapers/vendor/create-vendors.ts';
import { KINDS } from './scrapers/vendor/kinds.ts';
import { readPoolEntry, readPools } from './wire/pools-file.ts';
import type { Problems } from './wire/schema/problems.ts';
import { withoutValues } from './wire/schema/settings-text.ts';
import { readVendorEntry, readVendors } from './wire/vendors-file.ts';

export interface PoolsAndVendorsDeps {
  readonly config: Config;
  readonly logging: Logging;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** null: there are no other replicas. */
  readonly coordination: Pick<Coordination, 'limits' | 'values'> | null;
  /** For the limits and pauses of vendors. */
  readonly counting: Pick<Coordination, 'limits' | 'counters' | 'bus'>;
  /** Pools and vendors that are used where no file is set. */
  readonly settings: StoredSettings;
  readonly prices: PriceSettings;
  readonly sampleCounters: SampleCounters;
}

/** What is wrong with a file of proxy pools, as text for people; null: it is valid. */
export function poolsFileProblem(path: string): string | null {
  return settingsFileProblem('SLUICE_PROXIES', path, readPools);
}

/** What is wrong with a file of settings, as text for people; null: it is valid. */
export function settingsFileProblem<T>(
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

/** Settings as they are used, and the entries that they are made from. */
interface UsedEntries<T> {
  readonly used: T;
  /** Those that are not used, too. */
  readonly entries: readonly SettingEntry[];
}

const entriesOf = (jsons: readonly StoredSetting['json'][]): readonly SettingEntry[] =>
  jsons.map((json) => ({ json, problems: [] }));

/**
 * Stored settings, of which each is used that is valid: what is valid depends on the configuration too.
 * @param read adds what is wrong with a setting
 */
function readStored<T>(
  { settings, logging }: Pick<PoolsAndVendorsDeps, 'settings' | 'logging'>,
  kind: SettingKind,
  read: (json: StoredSetting['json'], problems: Problems) => T | null,
): UsedEntries<readonly T[]> {
  const used: T[] = [];
  const entries = settings.list(kind).map(({ name, json }) => {
    const found: Problems = [];
    const setting = read(json, found);
    const problems = found.map(({ message }) => withoutValues(message));
    if (setting !== null && problems.length === 0) used.push(setting);
    else logging.logger.error({ kind, name, problems }, 'a stored setting is invalid; it is not used');
    return { json, problems };
  });
  return { used, entries };
}

/** The vendors of the file of the operator; or if there is none, the stored ones. */
export function openVendors(
  opened: AsyncDisposableStack,
  deps: PoolsAndVendorsDeps,
  egress: Egress,
): { readonly vendors: Vendors; readonly vendorDirectory: VendorDirectory } {
  const { config, clock, counting: coordination, metrics, settings, sampleCounters, prices } = deps;
  const hasPrices = () => prices.current() !== null;
  const rules = () => ({ kinds: KINDS, hasPrices: hasPrices(), readKey: () => null });
  const onCall: VendorsDeps['onCall'] = (call) => {
    metrics.vendorCalled(call);
    const { vendor, result, cost } = call;
    const ok = result === 'ok' ? 1 : 0;
    const failed = result === 'ok' || result === 'cancelled' ? 0 : 1;
    sampleCounters.add('vendor', vendor, { requests: 1, ok, failed, cost });
  };
  const unitPrice = () => unitPriceOf(prices.current());
  const vendors = createVendors({ egress, coordination, unitPrice, clock, onCall }, []);
  opened.defer(() => vendors.close());
  addVendorGauge(metrics, vendors.list);
  let entries: readonly SettingEntry[] = [];
  const use = (next: UsedEntries<readonly VendorSettings[]>) => {
    entries = next.entries;
    vendors.replace(next.used);
  };
  const file =
    config.vendorsFile === null
      ? null
      : openEntriesFile(deps, {
          variable: 'SLUICE_VENDORS',
          path: resolve(config.vendorsFile),
          what: ['file of vendors', 'vendors'],
          parse: (text, path) => {
            const read = parseVendors(text, path, hasPrices());
            return read.problems === null ? { used: read.settings, entries: entriesOf(read.entries) } : read;
          },
          use,
        });
  if (file === null) {
    const useStored = () =>
      use(readStored(deps, 'vendor', (json, found) => readVendorEntry(json, '', rules(), found)));
    useStored();
    settings.onChange(useStored);
  } else opened.defer(() => file[Symbol.dispose]());
  const vendorDirectory: VendorDirectory = {
    list: vendors.list,
    file: () => file?.state() ?? null,
    entries: () => entries,
    problems(json) {
      const problems: Problems = [];
      readVendorEntry(json, '', rules(), problems);
      return problems;
    },
    kinds: KINDS,
  };
  return { vendors, vendorDirectory };
}

/** Reads a file of the operator, and reads it again when it changes. */
function openEntriesFile<T>(
  { logging, clock }: Pick<PoolsAndVendorsDeps, 'logging' | 'clock'>,
  {
    variable,
    path,
    what: [name, things],
    parse,
    use,
  }: {
    readonly variable: string;
    readonly path: string;
    /** For the log: the file, and what is in it. */
    readonly what: readonly [string, string];
    readonly parse: (
      text: string,
      path: string,
    ) => UsedEntries<T> | { readonly settings: null; readonly problems: readonly string[] };
    readonly use: (entries: UsedEntries<T>) => void;
  },
): SettingsFile<UsedEntries<T>> {
  const file = openSettingsFile<UsedEntries<T>>({
    variable,
    path,
    parse: (text) => {
      const read = parse(text, path);
      return 'problems' in read ? read : { settings: read, problems: null };
    },
    onSettings: use,
    onRead: (problems) =>
      problems === null
        ? logging.logger.info(`the ${name} was reloaded`)
        : logging.logger.error(
            { problems },
            `the changed ${name} is invalid; the previous ${things} stay in use`,
          ),
    now: clock.now,
  });
  use(file.initial);
  return file;
}

/** The proxy pools of the file of the operator; or if there is none, the stored ones. */
export function openProxies(
  opened: AsyncDisposableStack,
  deps: PoolsAndVendorsDeps,
): { readonly proxies: Proxies; readonly proxyPools: ProxyPools } {
  const { config, clock, coordination, settings, sampleCounters } = deps;
  const { proxiesFile, allowDirect } = config;
  const proxies = createProxies({
    pools: NO_POOLS,
    allowDirect,
    clock,
    coordination,
    onAttempt: (pool, { ok, failed, blocked, bytes, cost }) =>
      sampleCounters.add('pool', pool, {
        attempts: 1,
        ok: Number(ok),
        failed: Number(failed),
        blocked: Number(blocked),
        bytes,
        cost,
      }),
  });
  let entries: readonly SettingEntry[] = [];
  const use = (next: UsedEntries<Pools>) => {
    entries = next.entries;
    proxies.replacePools(next.used);
  };
  const file =
    proxiesFile === null
      ? null
      : openEntriesFile(deps, {
          variable: 'SLUICE_PROXIES',
          path: resolve(proxiesFile),
          what: ['proxy pools file', 'pools'],
          parse: (text) => {
            const read = readPools(text);
            return read.problems === null ? { used: read.settings, entries: entriesOf(read.entries) } : read;
          },
          use,
        });
  if (file === null) {
    const useStored = () => {
      const { json: { allow_none = false } = {} } = settings.list('proxies')[0] ?? {};
      const stored = readStored(deps, 'pool', (json, found) => readPoolEntry(json, '', found));
      use({ ...stored, used: { pools: stored.used, allowNone: allow_none === true } });
    };
    useStored();
    settings.onChange(useStored);
  } else opened.defer(() => file[Symbol.dispose]());
  const proxyPools: ProxyPools = {
    state: proxies.state,
    file: () => file?.state() ?? null,
    reload: () => file?.reload(),
    entries: () => entries,
    testExits: proxies.testExits,
  };
  return { proxies, proxyPools };
}
