import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { DocumentProcess, processFlags } from '../../src/adapters/documents/document-process.ts';
import { createDocumentReader } from '../../src/adapters/documents/document-reader.ts';
import { unprivilegedUser } from '../../src/base/unprivileged-user.ts';
import type { DocumentKind } from '../../src/domain/document.ts';
import { isFailure } from '../../src/domain/failure.ts';
import { documentReaderContract } from '../contracts/document-reader.ts';
import { eventually } from '../helpers/service.ts';

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

/** The processes of ours that read documents: their ids, and their users and groups. */
const documentProcesses = (): readonly { readonly pid: string; readonly ids: string }[] =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      const isReader = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('document-child');
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      if (!isReader || !status.includes(`\nPPid:\t${process.pid}\n`)) return [];
      const ids = /^Uid:\s+(.*)\nGid:\s+(.*)\n/m.exec(status)!.slice(1).join('|').replaceAll('\t', ' ');
      return [{ pid, ids }];
    } catch {
      return [];
    }
  });

const notLinux = process.platform !== 'linux' && 'not Linux';

test('a process reads several documents of a kind; one that failed, or is not needed any more, ends', {
  skip: notLinux,
}, async () => {
  const reader = createDocumentReader({ onError: (error) => assert.fail(String(error)) });
  const read = async (text: string, kind: DocumentKind) => {
    const reading = await reader.read(Buffer.from(text), kind, {
      ms: 30_000,
      signal: new AbortController().signal,
    });
    assert.ok(reading !== null);
    return isFailure(reading) ? reading.details?.reason : reading.html;
  };
  const pids = () => documentProcesses().map(({ pid }) => pid);
  assert.match(String(await read('a,b\n1,2\n', 'csv')), /<td>1<\/td>/);
  const [first, ...others] = pids();
  assert.deepEqual(others, []);
  const long = `a,b\n${'3,4\n'.repeat(20_000)}`;
  assert.match(String(await read(long, 'csv')), /<td>3<\/td>/);
  assert.match(String(await read('', 'csv')), /<body><\/body>/);
  assert.deepEqual(pids(), [first]);
  assert.equal(await read('no document', 'docx'), 'broken');
  await eventually(() => pids().join() === first);
  assert.match(String(await read('a,b\n5,6\n', 'csv')), /<td>5<\/td>/);
  assert.deepEqual(pids(), [first]);
  await reader.close();
  assert.deepEqual(pids(), []);
});

const user = unprivilegedUser();
test('as root, documents are read by a user that owns nothing', {
  skip: user === null ? 'not root' : notLinux,
}, async () => {
  const reading = new DocumentProcess('csv', 512);
  await eventually(() => documentProcesses().length > 0);
  const found = documentProcesses().map(({ ids }) => ids);
  reading.kill();
  await reading.ended;
  const ids = (id: number) => Array.from({ length: 4 }, () => id).join(' ');
  assert.deepEqual(found, [`${ids(user!.uid)}|${ids(user!.gid)}`]);
});
