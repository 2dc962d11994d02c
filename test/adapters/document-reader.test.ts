import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { processFlags, readInProcess } from '../../src/adapters/documents/document-process.ts';
import { createDocumentReader } from '../../src/adapters/documents/document-reader.ts';
import { unprivilegedUser } from '../../src/base/unprivileged-user.ts';
import { sleep } from '../../src/base/wait.ts';
import { documentReaderContract } from '../contracts/document-reader.ts';

documentReaderContract('in processes', (maxPages) =>
  createDocumentReader({ maxPages, memoryMb: 512, onError: (error) => assert.fail(String(error)) }),
);

/** Ways out of the process: each is a function's body that gives a promise or a value. */
const WAYS_OUT: Readonly<Record<string, string>> = {
  'read a file': `return fs.promises.readFile('/etc/passwd')`,
  'write a file': `return fs.promises.writeFile('/tmp/sluice-test-never', 'x')`,
  'list a folder': `return fs.promises.readdir('/')`,
  'start a program': `return new Promise((resolve, reject) => child.spawn('/bin/true').on('error', reject).on('exit', resolve))`,
  'fork itself': `return child.fork('/dev/null')`,
  connect: `return new Promise((resolve, reject) => net.connect(9, '127.0.0.1').on('error', reject).on('connect', resolve))`,
  listen: `return new Promise((resolve, reject) => net.createServer().on('error', reject).listen(0, resolve))`,
  'send a datagram': `return new Promise((resolve, reject) => dgram.createSocket('udp4').on('error', reject).send('x', 9, '127.0.0.1', (error) => error ? reject(error) : resolve()))`,
  'look up a name': `return dns.promises.lookup('localhost')`,
  fetch: `return fetch('http://127.0.0.1:8081/').catch((error) => { throw error.cause })`,
  'load native code': `return process.dlopen({ exports: {} }, '/lib/x.node')`,
  'open a debugger': `return inspector.open(0, '127.0.0.1')`,
};
const MODULES = `const fs = require('node:fs'), child = require('node:child_process'), net = require('node:net'), dgram = require('node:dgram'),
  dns = require('node:dns'), inspector = require('node:inspector'), { Worker } = require('node:worker_threads');`;
const TRY_ALL = `const tried = await Promise.all(Object.entries(ways).map(async ([name, way]) => {
  try { await way(); return [name, 'done'] } catch (error) { return [name, error.code ?? error.message] } }));`;

test('what reads documents cannot leave its process, nor by a thread', async () => {
  const ways = `{${Object.entries(WAYS_OUT).map(([name, body]) => `${JSON.stringify(name)}() { ${body} }`)}}`;
  const inWorker = `${MODULES} (async () => { const ways = ${ways}; ${TRY_ALL} require('node:worker_threads').parentPort.postMessage(tried) })()`;
  // A thread that could be started would tell what it can do.
  const inThread = (options: string) =>
    `return new Promise((resolve, reject) => new Worker(${JSON.stringify(inWorker)}, { eval: true, ...${options} }).on('error', reject).on('message', (tried) => tried.some(([, how]) => how === 'done') ? resolve() : reject(new Error('nothing')))) `;
  const script = `${MODULES} (async () => { const ways = { ...${ways},
    'a thread'() { ${inThread('{}')} },
    'a thread without flags'() { ${inThread('{ execArgv: [] }')} },
    'a thread with other flags'() { ${inThread("{ execArgv: ['--no-permission'], env: { NODE_OPTIONS: '' } }")} } };
    ${TRY_ALL} console.log(JSON.stringify(tried)); process.exit() })()`;
  const { stdout } = await promisify(execFile)(process.execPath, [...processFlags(512), '-e', script], {
    env: {},
  });
  const tried: [string, string][] = JSON.parse(stdout);
  assert.equal(tried.length, Object.keys(WAYS_OUT).length + 3);
  const denied = ['ERR_ACCESS_DENIED', 'ERR_DLOPEN_DISABLED'];
  assert.deepEqual(
    tried.filter(([, how]) => !denied.includes(how)),
    [],
  );
});

const user = unprivilegedUser();
test('as root, documents are read by a user that owns nothing', {
  skip: (user === null || process.platform !== 'linux') && 'not root on Linux',
}, async () => {
  const stop = new AbortController();
  // As long as the document is not complete, the process waits for it.
  const { ended } = readInProcess(
    new Uint8Array(2 ** 26),
    { kind: 'csv', maxPages: 1, memoryMb: 512, ms: 60_000 },
    stop.signal,
  );
  let users: string[] = [];
  while (users.length === 0) {
    await sleep(20);
    users = readdirSync('/proc').flatMap((pid) => {
      try {
        const [name] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').match(/document-child/) ?? [];
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        const isOurs = name !== undefined && status.includes(`\nPPid:\t${process.pid}\n`);
        return isOurs
          ? [/^Uid:\s+(.*)\nGid:\s+(.*)\n/m.exec(status)!.slice(1).join('|').replaceAll('\t', ' ')]
          : [];
      } catch {
        return [];
      }
    });
  }
  stop.abort();
  await ended;
  const ids = (id: number) => Array.from({ length: 4 }, () => id).join(' ');
  assert.deepEqual(users, [`${ids(user!.uid)}|${ids(user!.gid)}`]);
});
