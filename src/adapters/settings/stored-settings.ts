import type { Sealer } from '../../domain/sealing.ts';
import type { MessageBus } from '../../ports/coordination.ts';
import type {
  SettingKind,
  SettingRow,
  SettingStore,
  StoredSetting,
  StoredSettings,
} from '../../ports/settings.ts';

export interface StoredSettingsOptions {
  readonly store: SettingStore;
  readonly sealer: Sealer;
  readonly bus: MessageBus;
  /** Whether other processes may change the settings. */
  readonly isShared: boolean;
  /** Called if the settings cannot be read; they are read again within a second. */
  readonly onError: (error: unknown) => void;
}

interface OpenSettings extends StoredSettings {
  close(): Promise<void>;
}

/** Tells other replicas that settings have changed. */
const CHANNEL = 'settings';
/** Messages may be lost. */
const POLL_MS = 1_000;

interface KnownSetting extends StoredSetting {
  readonly kind: SettingKind;
  readonly version: number;
}

const ownerOf = (kind: SettingKind, name: string): string => `${kind}/${name}`;

/** Reads the stored settings, and reads them again when they change. */
export async function openStoredSettings({
  store,
  sealer,
  bus,
  isShared,
  onError,
}: StoredSettingsOptions): Promise<OpenSettings> {
  const listeners: (() => void)[] = [];
  let known: readonly KnownSetting[] = [];
  let knownVersion = -1;

  const opened = ({ kind, name, sealed, version }: SettingRow): KnownSetting => {
    const text = sealer.open('setting', ownerOf(kind, name), sealed).toString();
    return { kind, name, version, json: JSON.parse(text) as StoredSetting['json'] };
  };
  const read = async () => {
    // Before the settings: if they change meanwhile, they are read again.
    const version = await store.version();
    if (version === knownVersion) return;
    known = (await store.list()).map(opened);
    const isFirst = knownVersion === -1;
    knownVersion = version;
    if (!isFirst) for (const listener of listeners) listener();
  };
  // One after the other, so that an older state never replaces a newer one.
  let reading: Promise<void> = Promise.resolve();
  const refresh = (): Promise<void> => {
    reading = reading.catch(() => {}).then(read);
    return reading;
  };
  const afterChange = async () => {
    await refresh();
    bus.publish(CHANNEL, '');
  };
  const sealedRow = (kind: SettingKind, { name, json }: StoredSetting) => ({
    kind,
    name,
    sealed: sealer.seal('setting', ownerOf(kind, name), Buffer.from(JSON.stringify(json))),
  });

  await refresh();
  const refreshOrReport = () => void refresh().catch(onError);
  const unsubscribe = bus.subscribe(CHANNEL, refreshOrReport, refreshOrReport);
  const timer = isShared ? setInterval(refreshOrReport, POLL_MS).unref() : undefined;
  return {
    list: (kind) => known.filter((setting) => setting.kind === kind),
    async create(kind, setting, max) {
      const result = await store.create(sealedRow(kind, setting), max);
      await afterChange();
      return result;
    },
    async change(kind, name, change) {
      for (;;) {
        await refresh();
        const current = known.find((setting) => setting.kind === kind && setting.name === name);
        if (current === undefined) return null;
        const json = change(current.json);
        if (!(await store.replace({ ...sealedRow(kind, { name, json }), version: current.version })))
          continue;
        await afterChange();
        return json;
      }
    },
    async delete(kind, name) {
      const isDeleted = await store.delete(kind, name);
      await afterChange();
      return isDeleted;
    },
    onChange(listener) {
      listeners.push(listener);
    },
    async close() {
      clearInterval(timer);
      unsubscribe();
      await reading.catch(() => {});
    },
  };
}
