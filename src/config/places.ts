import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { keepSecret } from './keep-secret.ts';
import type { Config } from './parse-config.ts';

/** Where the data is; absolute. */
export function places({ dataDir }: Config) {
  const dir = resolve(dataDir);
  return { dataDir: dir, databaseFile: join(dir, 'sluice.db'), blobsDir: join(dir, 'blobs') };
}

/** Whether a Sluice has been here. */
export function hasData(config: Config): boolean {
  return existsSync(places(config).databaseFile);
}

/** What signs links and cursors. */
export function secretOf(config: Config): string {
  return config.secret ?? keepSecret(join(places(config).dataDir, 'secret'));
}
