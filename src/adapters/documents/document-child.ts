import { buffer } from 'node:stream/consumers';
import type { ProcessOrder } from './document-process.ts';
import { loadReader, readDocument } from './read-document.ts';

// The process that reads one document.

const begun = performance.now();
const order = JSON.parse(process.argv[2]!) as ProcessOrder;
if (order.becomes !== null) {
  const { uid, gid } = order.becomes;
  await loadReader(order.kind);
  process.setgroups!([]);
  process.setgid!(gid);
  process.setuid!(uid);
}
const bytes = await buffer(process.stdin);
const result = await readDocument(bytes, { ...order, ms: order.ms - (performance.now() - begun) });
process.stdout.write(JSON.stringify(result));
