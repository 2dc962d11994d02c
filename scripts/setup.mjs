/**
 * Installs what `npm start` (without arguments) or the tests (`--dev`) need, when it is not there yet.
 * Plain JavaScript without packages, because it is what the Node of a fresh machine (20 or later) runs first.
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
/** The oldest Node that runs TypeScript as it is. */
const OLDEST_NODE = 24;
/** The last line of Node whose builds do without libatomic, which slim images of Debian lack. */
const MODEST_NODE = '24.21.0';

const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
const hash = createHash('sha256').update(lockText).digest('hex');

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** A dev installation has all that start needs. */
const enough = (installed) => installed === mode || installed === 'dev';

function stampFits() {
  const stamp = readJson(stampFile);
  if (stamp === null || stamp.lock !== hash || !enough(stamp.mode)) return false;
  const direct = JSON.parse(lockText).packages[''];
  const names = Object.keys({ ...direct.dependencies, ...(mode === 'dev' ? direct.devDependencies : {}) });
  return names.every((name) => existsSync(join(modules, name, 'package.json')));
}

/** Optional packages that name no platform belong to those of other platforms. */
function forThisPlatform({ os, cpu, libc }) {
  if (os === undefined || ![os].flat().includes(process.platform)) return false;
  if (cpu !== undefined && ![cpu].flat().includes(process.arch)) return false;
  const own = process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  return libc === undefined || libc.includes(own);
}

/** Whether somebody installed by hand what the lock says: then there is no need to do it again. */
function installedByHand() {
  // npm writes this file last, but also when it only changes the lock: what counts is what lies there.
  if (!existsSync(join(modules, '.package-lock.json'))) return false;
  return Object.entries(JSON.parse(lockText).packages).every(([path, wanted]) => {
    // A link leads to a folder of the repository itself, which has an entry of its own.
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

/** npm's output to what the reader can do about it; null when npm's own words are best. */
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

/** The Node that npm itself runs with: the one in node_modules/.bin may be about to be deleted, or not run at all. */
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

/** Says once a second on a terminal, else every ten seconds, how far it is. */
function progress() {
  const paths = Object.entries(JSON.parse(lockText).packages).flatMap(([path, wanted]) => {
    const other = (wanted.dev && mode !== 'dev') || (wanted.optional && !forThisPlatform(wanted));
    return other || !path.startsWith('node_modules/') ? [] : [path];
  });
  const begun = Date.now();
  const seconds = () => Math.round((Date.now() - begun) / 1_000);
  let told = 0;
  const onSecond = () => {
    const there = paths.filter((path) => existsSync(join(root, path, 'package.json'))).length;
    const text = `sluice: ${there} of ${paths.length} packages, ${seconds()} s …`;
    if (process.stdout.isTTY) process.stdout.write(`\r${text}\x1b[K`);
    else if (seconds() - told >= 10) {
      told = seconds();
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
  // NODE_ENV=production would leave out what tests need, so that each kind is named.
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

/** Says so when no Node here can run Sluice: the one that comes as a package exists for few platforms. */
async function nodeFits() {
  const link = join(modules, '.bin', 'node');
  const bundled = spawnSync(link, ['--version'], { encoding: 'utf8' });
  if (bundled.status === 0) return true;
  const lacking = /error while loading shared libraries: ([^\s:]+)/.exec(bundled.stderr ?? '')?.[1];
  if (lacking !== undefined) return await replaceNode(link, lacking);
  if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) return true;
  console.error(
    `sluice: there is no bundled Node for ${process.platform} ${process.arch}, and the Node on the path is ` +
      `${process.version}. Install Node ${OLDEST_NODE} or later, then run this again.`,
  );
  return false;
}

/** Puts a Node that needs less of the machine where the bundled one is looked for, which npm scripts do first of all. */
async function replaceNode(link, lacking) {
  const bundled = resolve(dirname(link), readlinkSync(link));
  const [name] = bundled.slice(modules.length + 1).split('/');
  console.log(
    `sluice: ${lacking} is not on this machine; installing Node ${MODEST_NODE}, which does without …`,
  );
  const folder = join(modules, '.modest-node');
  mkdirSync(folder, { recursive: true });
  const done = await npm(['install', '--prefix', folder, '--no-save', ...QUIET, `${name}@${MODEST_NODE}`]);
  const modest = join(folder, 'node_modules', bundled.slice(modules.length));
  if (done.status === 0 && spawnSync(modest, ['--version']).status === 0) {
    rmSync(link);
    symlinkSync(modest, link);
    return true;
  }
  console.error(`sluice: the bundled Node lacks ${lacking}; with apt: apt-get install libatomic1`);
  return false;
}

if (!stampFits()) {
  if (!installedByHand() && !(await install())) process.exit(1);
  writeStamp();
}
if (!(await nodeFits())) process.exit(1);
