/**
 * `npm run pack`: the service as one npm package with JavaScript in dist/, because Node does not strip types inside
 * node_modules, and with the dashboard as it was built. Prints the name of the tarball; `--to=<folder>` says where it goes (default: the repository).
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
process.chdir(root);
const to = resolve(process.argv.find((argument) => argument.startsWith('--to='))?.slice(5) ?? root);

execFileSync(process.execPath, ['scripts/build-dashboard.ts'], { stdio: ['ignore', 2, 2] });
rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.pack.json'], {
  stdio: 'inherit',
});
for (const file of globSync('src/**/*', { withFileTypes: true })) {
  // What is not code (tables, texts) stays as it is.
  const from = join(file.parentPath, file.name);
  if (file.isFile() && !file.name.endsWith('.ts'))
    cpSync(from, join(root, 'dist', from.slice(join(root, 'src').length)));
}

const npm = process.env.npm_execpath;
const [command, first]: [string, string[]] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
const packed = execFileSync(command, [...first, 'pack', '--silent', '--pack-destination', to], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
rmSync('dist', { recursive: true });
// npm prints the name of the file, and nothing else when it is silent.
console.log(join(to, packed.trim().split('\n').at(-1) ?? ''));
