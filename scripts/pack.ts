/**
 * `npm run pack`: packs the service as an npm package with the built dashboard, and with JavaScript in dist/, because Node
 * does not strip types inside node_modules. Prints the path of the tarball, which is in the folder of `--to=<folder>`
 * (default: the repository).
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
process.chdir(root);
const to = resolve(process.argv.find((argument) => argument.startsWith('--to='))?.slice(5) ?? root);

execFileSync(process.execPath, ['scripts/build-dashboard.ts'], { stdio: ['ignore', 2, 2] });
rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.pack.json'], {
  stdio: 'inherit',
});
for (const file of globSync('src/**/*', { withFileTypes: true })) {
  // Files that are not code (tables, texts) are copied.
  const from = join(file.parentPath, file.name);
  if (file.isFile() && !file.name.endsWith('.ts')) cpSync(from, join('dist', relative('src', from)));
}

const npm = process.env.npm_execpath;
const [command, first]: [string, string[]] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
const packed = execFileSync(command, [...first, 'pack', '--silent', '--pack-destination', to], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
rmSync('dist', { recursive: true });
// With --silent, npm prints only the name of the file.
console.log(join(to, packed.trim().split('\n').at(-1) ?? ''));
