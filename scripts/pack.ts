/**
 * `npm run pack`: packs the service as an npm package with the built dashboard, and with JavaScript in dist/. Prints the path
 * of the tarball, which is in the folder of `--to=<folder>` (default: the repository).
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundle } from './bundle.ts';

const root = join(import.meta.dirname, '..');
process.chdir(root);
const to = resolve(process.argv.find((argument) => argument.startsWith('--to='))?.slice(5) ?? root);

execFileSync(process.execPath, ['scripts/build-dashboard.ts'], { stdio: ['ignore', 2, 2] });
rmSync('dist', { recursive: true, force: true });
await bundle(join(root, 'dist'));

const npm = process.env.npm_execpath;
const [command, first]: [string, string[]] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
const packed = execFileSync(command, [...first, 'pack', '--silent', '--pack-destination', to], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
rmSync('dist', { recursive: true });
// With --silent, npm prints only the name of the file.
console.log(join(to, packed.trim().split('\n').at(-1) ?? ''));
