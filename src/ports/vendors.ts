import type { Failure } from '../domain/failure.ts';
import type { SettingsFileState } from '../domain/pools.ts';
import type { VendorFacts, VendorKind, VendorKindRules } from '../domain/vendors.ts';
import type { SettingEntry } from './settings.ts';

/** The vendors, for the operator. */
export interface VendorDirectory {
  /** Those in use. */
  list(): readonly VendorFacts[];
  /** null: there is no file. */
  file(): SettingsFileState | null;
  /** The vendors of the file; or if there is none, the stored ones. */
  entries(): readonly SettingEntry[];
  /** What is wrong with an entry; empty: it can be used. Pointers begin at the entry; messages contain no credentials. */
  problems(json: SettingEntry['json']): readonly Failure[];
  readonly kinds: Readonly<Record<VendorKind, VendorKindRules>>;
}
