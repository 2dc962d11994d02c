/** Compiles the TypeScript SDK to clients/typescript/dist, with its types. `npm pack` runs it. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const sdk = join(root, 'clients/typescript');
rmSync(join(sdk, 'dist'), { recursive: true, force: true });
const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
// npm reads the names of files from standard output.
execFileSync(process.execPath, [compiler, '-p', join(sdk, 'tsconfig.pack.json')], {
  stdio: ['ignore', 2, 2],
});
// It has only types, and is a fifth shorter than what the compiler makes of it.
copyFileSync(join(sdk, 'src/types.gen.ts'), join(sdk, 'dist/types.gen.d.ts'));
