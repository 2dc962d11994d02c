import type { LiveReplica, ReplicaSettings } from '../../ports/replicas.ts';

const SECRET = 'SLUICE_SECRET';

type OtherReplica = Pick<LiveReplica, 'role' | 'host' | 'settings' | 'version'>;

/**
 * Why a replica with these settings must not run beside the others; null: it may. Replicas may know different encryption keys, as
 * long as they have one in common, with which all of them encrypt (`commonKey`): so keys can be changed without a stop.
 */
export function settingConflict(own: ReplicaSettings, others: readonly OtherReplica[]): string | null {
  let common = own.encryptionKeys;
  for (const { role, host, settings } of others) {
    const different = differences(own.shared, settings.shared);
    // The hashes of all others are made with the secret.
    const names = different.includes(SECRET) ? [SECRET] : different;
    common = common.filter((id) => settings.encryptionKeys.includes(id));
    if (common.length === 0) names.push('SLUICE_ENCRYPTION_KEY');
    if (names.length > 0)
      return `${names.join(', ')}: must be the same as that of the replica which runs already on ${host} (role ${role}). Set it to the same value on all replicas, or stop the others first. What is not set is made in the data folder of each replica, so it differs.`;
  }
  return null;
}

/** Differences that are allowed while a change is rolled out, as messages for operators. */
export function settingWarnings(
  own: { readonly settings: ReplicaSettings; readonly version: string },
  others: readonly OtherReplica[],
): readonly string[] {
  const names = new Set(others.flatMap(({ settings }) => differences(own.settings.others, settings.others)));
  const keys = own.settings.encryptionKeys.join();
  if (others.some(({ settings }) => settings.encryptionKeys.join() !== keys))
    names.add('SLUICE_ENCRYPTION_KEY');
  const warnings: string[] = [];
  if (names.size > 0)
    warnings.push(`Settings differ between replicas: ${Array.from(names).sort().join(', ')}.`);
  const versions = new Set(others.map(({ version }) => version)).add(own.version);
  if (versions.size > 1)
    warnings.push(`Replicas have different versions: ${Array.from(versions).sort().join(', ')}.`);
  return warnings;
}

/** Names in both whose hashes differ. A version may not have a variable yet. */
const differences = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): string[] =>
  Object.keys(a).filter((name) => b[name] !== undefined && a[name] !== b[name]);

/** The newest of the own keys that all others know, too; null: there is none. */
export const commonKey = (
  { encryptionKeys: own }: Pick<ReplicaSettings, 'encryptionKeys'>,
  others: readonly Pick<LiveReplica, 'settings'>[],
): string | null =>
  own.find((id) => others.every(({ settings }) => settings.encryptionKeys.includes(id))) ?? null;
