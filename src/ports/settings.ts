import type { Prices } from '../domain/cost.ts';

/**
 * What administrators set by the API: a proxy pool, a vendor, what concerns all proxies (under the name `all`), the limits of a site
 * (under its host), and the prices (under the name `all`).
 */
export const SETTING_KINDS = ['pool', 'vendor', 'proxies', 'site_limits', 'prices'] as const;
export type SettingKind = (typeof SETTING_KINDS)[number];

/** A stored setting. It may contain credentials, so its value is encrypted. */
export interface SettingRow {
  readonly kind: SettingKind;
  readonly name: string;
  /** JSON, sealed with the purpose `setting` and the owner `<kind>/<name>`. */
  readonly sealed: Uint8Array;
  /** 1, and one more with each change. */
  readonly version: number;
}

/**
 * Settings of the service. The same guarantees as RecordStore. In addition, `version` changes with every change of a setting by
 * any process, so that caches know when to read again.
 */
export interface SettingStore {
  version(): Promise<number>;
  /** By kind and name. */
  list(): Promise<readonly SettingRow[]>;
  /** @returns `exists`: there is one of this kind and name; `full`: there are `max` of this kind already */
  create(row: Omit<SettingRow, 'version'>, max: number): Promise<'created' | 'exists' | 'full'>;
  /** Replaces the value. @returns false: there is no such setting, or it has another version by now */
  replace(row: SettingRow): Promise<boolean>;
  /** @returns false: there is no such setting */
  delete(kind: SettingKind, name: string): Promise<boolean>;
}

/** A setting as it is used. */
export interface StoredSetting {
  readonly name: string;
  /** The members of the setting. They may contain credentials. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** The stored settings of all replicas, decrypted. A change applies here at once, and on other replicas within about a second. */
export interface StoredSettings {
  /** By name. */
  list(kind: SettingKind): readonly StoredSetting[];
  create(kind: SettingKind, setting: StoredSetting, max: number): Promise<'created' | 'exists' | 'full'>;
  /**
   * Replaces a setting by what `change` makes of it. `change` may be called again, because another replica may change the setting at
   * the same time; what it throws is passed on, and nothing is changed.
   * @returns the new members; null: there is no such setting
   */
  change(
    kind: SettingKind,
    name: string,
    change: (json: StoredSetting['json']) => StoredSetting['json'],
  ): Promise<StoredSetting['json'] | null>;
  /** @returns false: there is no such setting */
  delete(kind: SettingKind, name: string): Promise<boolean>;
  /** Calls the listener after each change of settings, by any replica. */
  onChange(listener: () => void): void;
}

/** An entry of the file of the operator, or a stored one. */
export interface SettingEntry {
  readonly json: StoredSetting['json'];
  /** Why it is not used; empty: it is. Lines without credentials. */
  readonly problems: readonly string[];
}

/** The prices in force: those of the file of the operator, or if there is none, the stored ones. */
export interface PriceSettings {
  /** null: there are none. The same object until they change. */
  readonly current: () => Prices | null;
  /** They are in the file of `SLUICE_PRICES`, so the API cannot change them. */
  readonly isInFile: boolean;
  /** Calls the listener after each change. */
  onChange(listener: () => void): void;
}
