/** Compiles the TypeScript SDK to clients/typescript/dist, with its types. `npm pack` runs it. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const sdk = join(root, 'clients/typescript');
rmSync(join(sdk, 'dist'), { recursive: true, force: true });
const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
const project = ['-p', join(sdk, 'tsconfig.pack.json')];
// npm reads the names of files from standard output.
const stdio: ['ignore', 2, 2] = ['ignore', 2, 2];
if (existsSync(compiler)) execFileSync(process.execPath, [compiler, ...project], { stdio });
else {
  // `npm start` installs only what the service needs. This gets the compiler alone, in a few seconds.
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const version = devDependencies['typescript-native']!.replace(/^npm:/, '');
  execFileSync('npm', ['exec', '--yes', `--package=${version}`, '--', 'tsc', ...project], { stdio });
}
// It has only types, and is a fifth shorter than what the compiler makes of it.
copyFileSync(join(sdk, 'src/types.gen.ts'), join(sdk, 'dist/types.gen.d.ts'));
