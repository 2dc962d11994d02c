import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { DashboardAsset, DashboardFiles } from '../../ports/dashboard.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** All built files, in memory: about three megabytes. Rejects when they are not there, or of an unknown type. */
export async function readBuilt(built: string): Promise<DashboardFiles> {
  const folder = join(built, 'assets');
  const texts = new Map<string, Buffer>();
  for (const name of await readdir(folder)) texts.set(name, await readFile(join(folder, name)));
  const assets = new Map<string, DashboardAsset>();
  for (const [name, bytes] of texts) {
    const extension = extname(name);
    if (extension === '.br' || extension === '.gz') continue;
    const type = TYPES[extension];
    if (type === undefined) throw new Error(`${name} is of a type that is not served`);
    assets.set(name, {
      bytes,
      br: texts.get(`${name}.br`) ?? null,
      gzip: texts.get(`${name}.gz`) ?? null,
      type,
      hash: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    });
  }
  return { index: await readFile(join(built, 'index.html'), 'utf8'), assets };
}
