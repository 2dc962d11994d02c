import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './repository.ts';

/** Makes `import … from 'sluice-client'` work for programs in a folder, with the sources of the client. */
export function linkTypeScriptClient(folder: string): void {
  const target = join(folder, 'node_modules/sluice-client');
  mkdirSync(target, { recursive: true });
  symlinkSync(join(ROOT, 'clients/typescript/src'), join(target, 'src'));
  const manifest = { name: 'sluice-client', type: 'module', exports: './src/sluice.ts' };
  writeFileSync(join(target, 'package.json'), JSON.stringify(manifest));
}

/** The folder with the sources of the Python client, for `PYTHONPATH`. */
export const PYTHON_CLIENT: string = join(ROOT, 'clients/python/src');

/** That of Debian, which has the packages of Debian. */
export const PYTHON = '/usr/bin/python3';

/** Why programs for the Python client cannot run; false: they can. */
export const pythonClientMissing = (): string | false => pythonPackageMissing('httpx');

/** Why programs that import a package of Python cannot run; false: they can. */
export function pythonPackageMissing(name: 'httpx' | 'requests' | 'scrapy'): string | false {
  const { status } = spawnSync(PYTHON, ['-c', `import ${name}`]);
  return status !== 0 && `there is no ${name} (Debian: apt-get install python3-${name})`;
}
