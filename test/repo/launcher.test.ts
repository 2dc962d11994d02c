import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { runChild, startChild } from '../helpers/child.ts';
import { cleanEnvironment, ROOT } from '../helpers/repository.ts';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'sluice launcher-')));
after(() => rmSync(scratch, { recursive: true }));

/** A folder that is laid out as Sluice is, around the real launcher. */
function layout(name: string, files: Readonly<Record<string, string>>, modules: string | null): string {
  const folder = join(scratch, name);
  for (const [file, text] of Object.entries({ 'package.json': '{"type": "module"}', ...files })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
  if (modules !== null) symlinkSync(join(ROOT, 'node_modules'), join(folder, modules));
  return folder;
}

const TELL =
  'console.log(JSON.stringify([process.argv.slice(2), process.cwd(), Number(process.versions.node.split(".")[0])]));';
/** The compile cache of what is tried here does not belong beside that of the real thing. */
const env = { ...cleanEnvironment(), NODE_COMPILE_CACHE: join(scratch, 'cache') };

test('runs the source from any folder, through symbolic links, with a Node that is new enough', async () => {
  const folder = layout('clone', { 'src/main.ts': `const at: number = 1;\nif (at) ${TELL}` }, 'node_modules');
  symlinkSync('clone/bin/sluice', join(scratch, 'relative link'));
  symlinkSync(join(scratch, 'relative link'), join(scratch, 'absolute-link'));
  for (const [command, cwd] of [
    [join(folder, 'bin/sluice'), '/'],
    ['./bin/sluice', folder],
    [join(scratch, 'absolute-link'), scratch],
  ] as const) {
    // A path without Node at all: the bundled one is found.
    const run = await runChild(command, ['serve', 'a b'], { cwd, env: { ...env, PATH: '/usr/bin:/bin' } });
    assert.equal(run.stderr, '');
    const [args, where, major] = JSON.parse(run.stdout) as [string[], string, number];
    assert.deepEqual([args, where, run.code], [['serve', 'a b'], cwd, 0]);
    assert.ok(major >= 24);
  }
});

test('runs the packed form where there is no source', async () => {
  const folder = layout('packed/node_modules/sluice', { 'dist/main.js': TELL }, null);
  symlinkSync(join(ROOT, 'node_modules/.bin'), join(scratch, 'packed/node_modules/.bin'));
  symlinkSync(join(ROOT, 'node_modules/fastify'), join(scratch, 'packed/node_modules/fastify'));
  const run = await runChild(join(folder, 'bin/sluice'), ['--version'], { cwd: scratch, env });
  assert.deepEqual([run.stderr, run.code], ['', 0]);
  assert.deepEqual((JSON.parse(run.stdout) as unknown[])[0], ['--version']);
});

test('says what to do where nothing is installed', async () => {
  const folder = layout('bare', { 'src/main.ts': TELL }, null);
  const run = await runChild(join(folder, 'bin/sluice'), ['serve'], { env });
  assert.deepEqual([run.stdout, run.code], ['', 1]);
  assert.match(run.stderr, /^sluice: .*Run 'npm start' in .* once/);
});

test('gives the exit code of the service, and its signals', async () => {
  const drain = 'process.once("SIGTERM", () => { console.log("drained"); clearInterval(at); });';
  const source = `const at = setInterval(() => {}, 1000); ${drain} console.log("up");`;
  // A real `node_modules` folder, with a lock that says that nothing is missing, so that `npm start` installs nothing. If it
  // did, and `node_modules` were a link, npm would delete the packages of this repository.
  const lock = JSON.stringify({ name: 'sluice', lockfileVersion: 3, packages: { '': {} } });
  const files = { 'src/main.ts': source, 'package-lock.json': lock, 'node_modules/.package-lock.json': lock };
  const folder = layout('signals', files, null);
  for (const one of ['.bin', 'fastify'])
    symlinkSync(join(ROOT, 'node_modules', one), join(folder, 'node_modules', one));
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  cpSync(join(ROOT, 'scripts/setup.mjs'), join(folder, 'scripts/setup.mjs'));
  // npm passes the signal on to its shell; `exec` makes that shell the service.
  const child = startChild('npm', ['start'], { cwd: folder, env });
  await child.printed(/^up$/m, 30_000);
  child.kill('SIGTERM');
  assert.deepEqual(await child.exited, { code: 0, signal: null }, child.stderr());
  assert.match(child.stdout(), /^drained$/m);
  assert.doesNotMatch(child.stdout(), /installing/);

  const failing = layout('failing', { 'src/main.ts': 'process.exitCode = 78;' }, 'node_modules');
  assert.equal((await runChild(join(failing, 'bin/sluice'), [], { env })).code, 78);
});
