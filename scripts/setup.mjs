/**
 * Installs the packages that `npm start` needs, or with `--dev` those that the tests need, unless they are installed.
 * Plain JavaScript without packages, because the Node of a fresh machine (20 or later) runs it first.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.sluice-setup.json');
const mode = process.argv.includes('--dev') ? 'dev' : 'start';
/** The oldest major version of Node that Sluice runs on. */
const OLDEST_NODE = 24;
/** The newest Node whose builds do not need libatomic, which slim images of Debian lack. */
const NODE_WITHOUT_LIBATOMIC = '24.21.0';

const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
const hash = createHash('sha256').update(lockText).digest('hex');

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Whether an installation of a mode has all packages of ours: that of `dev` includes that of `start`. */
const includesMode = (installed) => installed === mode || installed === 'dev';

/** Whether this script has installed the packages of the current lock, and they are still there. */
function isUpToDate() {
  const stamp = readJson(stampFile);
  if (stamp === null || stamp.lock !== hash || !includesMode(stamp.mode)) return false;
  const direct = JSON.parse(lockText).packages[''];
  const names = Object.keys({ ...direct.dependencies, ...(mode === 'dev' ? direct.devDependencies : {}) });
  return names.every((name) => existsSync(join(modules, name, 'package.json')));
}

/** Whether an optional package is for this platform. One without `os` is only needed by packages of other platforms. */
function forThisPlatform({ os, cpu, libc }) {
  if (os === undefined || ![os].flat().includes(process.platform)) return false;
  if (cpu !== undefined && ![cpu].flat().includes(process.arch)) return false;
  const ourLibc = process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  return libc === undefined || libc.includes(ourLibc);
}

/** Whether the packages of the lock were installed otherwise, such as by `npm ci`. */
function installedOtherwise() {
  // npm writes this file last. It also writes it when it only changes the lock, so the packages are checked too.
  if (!existsSync(join(modules, '.package-lock.json'))) return false;
  return Object.entries(JSON.parse(lockText).packages).every(([path, wanted]) => {
    // A link names a folder of this repository (a workspace), which has another entry.
    if (path === '' || wanted.link || (wanted.dev && mode !== 'dev')) return true;
    const version = readJson(join(root, path, 'package.json'))?.version;
    if (version === undefined) return wanted.peer || (wanted.optional && !forThisPlatform(wanted));
    return version === wanted.version;
  });
}

function writeStamp() {
  mkdirSync(modules, { recursive: true });
  writeFileSync(stampFile, `${JSON.stringify({ lock: hash, mode })}\n`);
}

/** Turns npm's output into what went wrong and what to do; null if npm's own text is better. */
function explain(output) {
  const cause = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH)\b/.exec(
    output,
  );
  if (cause !== null) {
    const registry = process.env.npm_config_registry ?? 'https://registry.npmjs.org/';
    return `the package registry ${registry} cannot be reached (${cause[1]}). Check the network, or HTTPS_PROXY.`;
  }
  if (/\bENOSPC\b/.test(output)) return 'the disk is full.';
  if (/\b(EACCES|EROFS)\b/.test(output)) return `${modules} cannot be written by this user.`;
  return null;
}

/**
 * Runs npm; calls `onSecond` each second meanwhile. It uses the Node that npm itself runs with, because the one in
 * node_modules/.bin may be deleted by npm, or may not run on this machine.
 */
async function npm(args, onSecond = () => {}) {
  const quick = ['--fetch-retries=2', '--fetch-retry-factor=2', '--fetch-retry-mintimeout=1000'];
  const [command, ...first] =
    process.env.npm_execpath && process.env.npm_node_execpath
      ? [process.env.npm_node_execpath, process.env.npm_execpath]
      : ['npm'];
  const child = spawn(command, [...first, ...args, ...quick], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  const ticking = setInterval(onSecond, 1_000);
  try {
    return await new Promise((resolve) => {
      child.once('error', (error) => resolve({ status: null, output: error.message }));
      child.once('close', (status) => resolve({ status, output }));
    });
  } finally {
    clearInterval(ticking);
  }
}

/** Prints the progress of the installation: each second on a terminal, otherwise every ten seconds. */
function progress() {
  const paths = Object.entries(JSON.parse(lockText).packages).flatMap(([path, wanted]) => {
    const notInstalled = (wanted.dev && mode !== 'dev') || (wanted.optional && !forThisPlatform(wanted));
    return notInstalled || !path.startsWith('node_modules/') ? [] : [path];
  });
  const begun = Date.now();
  const seconds = () => Math.round((Date.now() - begun) / 1_000);
  let printedAt = 0;
  const onSecond = () => {
    const installed = paths.filter((path) => existsSync(join(root, path, 'package.json'))).length;
    const text = `sluice: ${installed} of ${paths.length} packages, ${seconds()} s …`;
    if (process.stdout.isTTY) process.stdout.write(`\r${text}\x1b[K`);
    else if (seconds() - printedAt >= 10) {
      printedAt = seconds();
      console.log(text);
    }
  };
  const end = (done) => {
    if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
    if (done) console.log(`sluice: ${paths.length} packages installed in ${seconds()} s`);
  };
  return { onSecond, end };
}

const QUIET = ['--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'];

async function install() {
  const what = mode === 'dev' ? 'packages, with those for tests' : 'packages';
  console.log(`sluice: installing ${what} (npm ci), once until package-lock.json changes …`);
  // Explicit, because NODE_ENV=production would leave out the packages for tests.
  const kinds = mode === 'dev' ? ['--include=dev'] : ['--omit=dev'];
  const args = ['ci', ...kinds, '--include=optional', ...QUIET];
  const { onSecond, end } = progress();
  const { status, output } = await npm(args, onSecond);
  end(status === 0);
  if (status === 0) return true;
  const help = explain(output);
  console.error(`sluice: the packages could not be installed${help === null ? '' : `: ${help}`}`);
  if (help === null) console.error(output.trimEnd());
  return false;
}

/** Whether a Node here can run Sluice; if not, prints what to do. The bundled Node exists for few platforms. */
async function hasUsableNode() {
  const link = join(modules, '.bin', 'node');
  const bundled = spawnSync(link, ['--version'], { encoding: 'utf8' });
  if (bundled.status === 0) return true;
  const missing = /error while loading shared libraries: ([^\s:]+)/.exec(bundled.stderr ?? '')?.[1];
  if (missing !== undefined) return await replaceNode(link, missing);
  if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) return true;
  console.error(
    `sluice: there is no bundled Node for ${process.platform} ${process.arch}, and the Node on the path is ` +
      `${process.version}. Install Node ${OLDEST_NODE} or later, then run this again.`,
  );
  return false;
}

/** Installs a Node without libatomic, and replaces the bundled one in node_modules/.bin by it. Returns its success. */
async function replaceNode(link, missing) {
  const bundled = resolve(dirname(link), readlinkSync(link));
  const [name] = bundled.slice(modules.length + 1).split('/');
  console.log(
    `sluice: ${missing} is not installed here; installing Node ${NODE_WITHOUT_LIBATOMIC}, which does not need it …`,
  );
  const folder = join(modules, '.node-without-libatomic');
  mkdirSync(folder, { recursive: true });
  const { status } = await npm([
    'install',
    '--prefix',
    folder,
    '--no-save',
    ...QUIET,
    `${name}@${NODE_WITHOUT_LIBATOMIC}`,
  ]);
  const replacement = join(folder, 'node_modules', bundled.slice(modules.length));
  if (status === 0 && spawnSync(replacement, ['--version']).status === 0) {
    rmSync(link);
    symlinkSync(replacement, link);
    return true;
  }
  console.error(
    `sluice: the bundled Node needs ${missing}, which is not installed here. On Debian: apt-get install libatomic1`,
  );
  return false;
}

if (!isUpToDate()) {
  if (!installedOtherwise() && !(await install())) process.exit(1);
  writeStamp();
}
if (!(await hasUsableNode())) process.exit(1);
