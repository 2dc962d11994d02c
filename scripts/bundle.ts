/**
 * Makes JavaScript of src/, because Node does not strip types inside node_modules: a file for main.ts, for each thread and
 * process of its own, and for what these share or load later. A hundred files load in half the time of two thousand.
 */
import {
  copyFileSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');

/** Packages of many small modules that each start loads. All other packages stay packages, with their files and native code. */
const BUNDLED_PACKAGES = [
  ...['kysely', 'typebox', 'ajv'],
  ...['fastify', 'avvio', 'find-my-way', 'semver', 'prom-client'],
];

/**
 * Writes the program into a folder, with the licences of the packages that become part of it. Files that are already there
 * and equal are left alone, because running tests may read them.
 */
export async function bundle(to: string): Promise<void> {
  const modules = ['src/main.ts', ...globSync('src/**/*-{thread,child}.ts', { cwd: root })];
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(modules.map((module) => [module.slice('src/'.length, -'.ts'.length), module])),
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !BUNDLED_PACKAGES.includes(id.split('/')[0]!),
  });
  const { output } = await build.generate({
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name].js',
  });
  await build.close();
  for (const file of output) write(join(to, file.fileName), file.type === 'chunk' ? file.code : file.source);
  for (const name of BUNDLED_PACKAGES) {
    const [license] = globSync(join(root, 'node_modules', name, '{LICENSE,license}*'));
    write(join(to, 'licenses', `${name}.txt`), readFileSync(license!, 'utf8'));
  }
}

function write(file: string, content: string | Uint8Array): void {
  if (existsSync(file) && readFileSync(file).equals(Buffer.from(content))) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/**
 * Lays the program out in node_modules/.cache as in the packed form, for the tests.
 * @returns the path of its bin/sluice
 */
export async function layOutProgram(): Promise<string> {
  const folder = join(root, 'node_modules/.cache/packed');
  await bundle(join(folder, 'dist'));
  for (const name of ['bin', 'dashboard']) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['node_modules', 'docs', 'dashboard/dist', 'CHANGELOG.md'])
    if (lstatSync(join(folder, name), { throwIfNoEntry: false }) === undefined)
      // Relative, so that a copy of the checkout refers to its own files.
      symlinkSync(relative(dirname(join(folder, name)), join(root, name)), join(folder, name));
  for (const name of ['package.json', 'bin/sluice']) copyFileSync(join(root, name), join(folder, name));
  return join(folder, 'bin/sluice');
}
