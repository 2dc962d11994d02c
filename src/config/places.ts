import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { keepSecret } from './keep-secret.ts';
import { type KeptText, keptText } from './kept-text.ts';
import type { Config } from './parse-config.ts';

/** Where the data is; absolute. */
export function places({ dataDir }: Config) {
  const dir = resolve(dataDir);
  return { dataDir: dir, databaseFile: join(dir, 'sluice.db'), blobsDir: join(dir, 'blobs') };
}

/** Whether a Sluice has been here. Throws where that cannot be seen. */
export function hasData(config: Config): boolean {
  try {
    statSync(places(config).databaseFile);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** What signs links and cursors. */
export function secretOf(config: Config): string {
  return config.secret ?? keepSecret(join(places(config).dataDir, 'secret'));
}

/** What SLUICE_ADMIN_PASSWORD was when it was last applied to the data that is there, hashed. */
export function appliedPassword(config: Config): KeptText {
  return keptText(join(places(config).dataDir, 'admin-password'));
}
