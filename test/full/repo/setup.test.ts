import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runChild } from '../../helpers/child.ts';
import { freePort } from '../../helpers/free-port.ts';
import { cleanEnvironment, ROOT } from '../../helpers/repository.ts';

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

async function tarball(folder: string, name: string, version: string, node?: string): Promise<void> {
  mkdirSync(join(folder, name), { recursive: true });
  const bin = node === undefined ? {} : { bin: { node: 'bin/node' } };
  writeFileSync(join(folder, name, 'package.json'), JSON.stringify({ name, version, ...bin }));
  if (node !== undefined) {
    mkdirSync(join(folder, name, 'bin'), { recursive: true });
    writeFileSync(join(folder, name, 'bin/node'), `#!/bin/sh\n${node}\n`, { mode: 0o755 });
  }
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
  assert.match(
    await says(),
    /^sluice: installing packages \(npm ci\).*\n(sluice: \d of 1 packages, .*\n)*sluice: 1 packages installed in \d+ s\n$/,
  );
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

const LACKING =
  'echo "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file or directory" >&2; exit 127';

/** A project with a package that brings a Node, which cannot be run on this machine. */
async function projectWithNode(): Promise<string> {
  const folder = await project();
  await tarball(folder, 'node-x', '26.0.0', LACKING);
  await lockWith(folder, { dependencies: { 'node-x': 'file:node-x-26.0.0.tgz' } });
  return folder;
}

test('a bundled Node that lacks a library is replaced by one that does not need it', async () => {
  const folder = await projectWithNode();
  const version = /NODE_WITHOUT_LIBATOMIC = '([\d.]+)'/.exec(
    readFileSync(join(ROOT, 'scripts/setup.mjs'), 'utf8'),
  )![1]!;
  await tarball(folder, 'node-x', version, `echo v${version}`);
  const packed = readFileSync(join(folder, `node-x-${version}.tgz`));
  const registry = createServer((request, answer) => {
    const base = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
    const manifest = {
      name: 'node-x',
      version,
      bin: { node: 'bin/node' },
      dist: { tarball: `${base}/x.tgz` },
    };
    const packument = { name: 'node-x', 'dist-tags': { latest: version }, versions: { [version]: manifest } };
    answer.end(request.url === '/x.tgz' ? packed : JSON.stringify(packument));
  }).listen(0, '127.0.0.1');
  try {
    await new Promise((listening) => registry.once('listening', listening));
    const { port } = registry.address() as AddressInfo;
    const run = await setup(folder, [], { npm_config_registry: `http://127.0.0.1:${port}/` });
    assert.deepEqual([run.stderr, run.code], ['', 0]);
    assert.match(run.stdout, /libatomic\.so\.1 is not installed here; installing Node/);
    const node = await runChild(join(folder, 'node_modules/.bin/node'), ['--version']);
    assert.equal(node.stdout, `v${version}\n`);
    assert.equal((await setup(folder)).stdout, '', 'once');
  } finally {
    registry.close();
  }
});

test('says which library the bundled Node lacks', async () => {
  const folder = await projectWithNode();
  const run = await setup(folder, [], { npm_config_registry: `http://127.0.0.1:${await freePort()}/` });
  assert.equal(run.code, 1);
  assert.match(run.stderr, /the bundled Node needs libatomic\.so\.1, .*apt-get install libatomic1/);

  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
  mkdirSync(join(folder, 'path'));
  writeFileSync(join(folder, 'path/node'), '#!/bin/sh\necho v20.0.0\n', { mode: 0o755 });
  const PATH = `${join(folder, 'path')}:/usr/bin:/bin`;
  const start = await runChild(join(folder, 'bin/sluice'), [], { env: env({ PATH }) });
  assert.equal(start.code, 1);
  assert.match(
    start.stderr,
    /error while loading shared libraries: libatomic\.so\.1.*\n.*no Node 24 or later found/,
  );
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
