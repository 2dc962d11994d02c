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

/** Why programs with a library of Python cannot run; false: they can. */
export function pythonLacks(library: string): string | false {
  const { status } = spawnSync('python3', ['-c', `import ${library}`]);
  return status !== 0 && `${library} for python3 is not installed`;
}
