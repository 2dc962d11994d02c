import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { moduleFile } from '../../base/program-files.ts';
import type { DocumentOrder } from './document-process.ts';
import { readDocument } from './read-document.ts';

// The process that reads one document.

const MIB = 2 ** 20;

const begun = performance.now();
const order = JSON.parse(process.argv[2]!) as DocumentOrder;
new Worker(moduleFile('adapters/documents/memory-guard-thread'), {
  workerData: order.memoryMb * MIB,
  execArgv: [],
}).unref();

const bytes = await buffer(process.stdin);
const result = await readDocument(bytes, { ...order, ms: order.ms - (performance.now() - begun) });
process.stdout.write(JSON.stringify(result));
