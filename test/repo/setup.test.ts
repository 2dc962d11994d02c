import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runChild } from '../helpers/child.ts';
import { freePort } from '../helpers/free-port.ts';
import { cleanEnvironment, ROOT } from '../helpers/repository.ts';

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A project with the real setup script, one package to run and one to test with, both as tarballs on its own disk. */
async function project(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-setup-'));
  folders.push(folder);
  for (const name of ['a', 'b']) await tarball(folder, name, '1.0.0');
  await lockWith(folder, {
    dependencies: { a: 'file:a-1.0.0.tgz' },
    devDependencies: { b: 'file:b-1.0.0.tgz' },
  });
  mkdirSync(join(folder, 'scripts'));
  cpSync(join(ROOT, 'scripts/setup.mjs'), join(folder, 'scripts/setup.mjs'));
  return folder;
}

async function npm(folder: string, ...args: string[]): Promise<void> {
  const run = await runChild('npm', [...args, '--offline'], { cwd: folder, env: env() });
  assert.equal(run.code, 0, run.stderr);
}

async function tarball(folder: string, name: string, version: string): Promise<void> {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'package.json'), JSON.stringify({ name, version }));
  await npm(folder, 'pack', `./${name}`);
}

/** Sets what the project needs, and lets npm write the lock for it. */
async function lockWith(folder: string, needs: object): Promise<void> {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'p', ...needs }));
  await npm(folder, 'install', '--package-lock-only');
}

/** Without what the npm that runs these tests tells its children. */
function env(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const own = Object.entries(cleanEnvironment()).filter(([name]) => !name.toLowerCase().startsWith('npm_'));
  return { ...Object.fromEntries(own), ...more };
}

const setup = (folder: string, args: readonly string[] = [], more: NodeJS.ProcessEnv = {}) =>
  runChild(process.execPath, [join(folder, 'scripts/setup.mjs'), ...args], { cwd: tmpdir(), env: env(more) });
const has = (folder: string, name: string) =>
  runChild('ls', [join(folder, 'node_modules', name)]).then((ls) => ls.code === 0);

test('installs once, what is needed, and again when the lock or a package is gone', async () => {
  const folder = await project();
  const says = async (args: readonly string[] = []) => {
    const run = await setup(folder, args);
    assert.deepEqual([run.stderr, run.code], ['', 0]);
    return run.stdout;
  };
  assert.match(await says(), /^sluice: installing packages \(npm ci\).*\n$/);
  assert.deepEqual([await has(folder, 'a'), await has(folder, 'b')], [true, false]);
  assert.equal(await says(), '');
  assert.match(await says(['--dev']), /installing packages, with those for tests/);
  assert.deepEqual([await has(folder, 'a'), await has(folder, 'b')], [true, true]);
  assert.equal(await says(['--dev']), '');
  assert.equal(await says(), '', 'an installation for tests is enough to start');
  rmSync(join(folder, 'node_modules/a'), { recursive: true });
  assert.match(await says(), /installing/);
  const lock = join(folder, 'package-lock.json');
  writeFileSync(lock, JSON.stringify(JSON.parse(readFileSync(lock, 'utf8'))));
  assert.equal(await says(), '', 'another spelling of the same lock installs nothing');
  await tarball(folder, 'a', '2.0.0');
  await lockWith(folder, { dependencies: { a: 'file:a-2.0.0.tgz' } });
  assert.match(await says(), /installing/);
});

test('believes an installation that was made by hand', async () => {
  const folder = await project();
  await npm(folder, 'ci');
  assert.equal((await setup(folder, ['--dev'])).stdout, '');
});

test('a folder of the repository that is a package too is no reason to install', async () => {
  const folder = await project();
  mkdirSync(join(folder, 'w'));
  writeFileSync(join(folder, 'w/package.json'), JSON.stringify({ name: 'w', version: '1.0.0' }));
  await lockWith(folder, { workspaces: ['w'], dependencies: { a: 'file:a-1.0.0.tgz' } });
  await npm(folder, 'ci');
  assert.equal((await setup(folder)).stdout, '');
});

test('says that the registry cannot be reached', async () => {
  const folder = await project();
  const registry = `http://127.0.0.1:${await freePort()}/`;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'p', dependencies: { c: '1.0.0' } }));
  const entry = { version: '1.0.0', resolved: `${registry}c/-/c-1.0.0.tgz`, integrity: 'sha512-AAAA' };
  const packages = { '': { name: 'p', dependencies: { c: '1.0.0' } }, 'node_modules/c': entry };
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ name: 'p', lockfileVersion: 3, packages }),
  );
  const run = await setup(folder, [], { npm_config_registry: registry });
  assert.equal(run.code, 1);
  assert.match(
    run.stderr,
    /the package registry http:\/\/127\.0\.0\.1:\d+\/ cannot be reached \(ECONNREFUSED\)/,
  );
});
