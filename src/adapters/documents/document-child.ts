import { framesIn, type ProcessStart } from './document-frame.ts';
import { loadReader, readDocument } from './read-document.ts';

// The process that reads documents of one kind.

/** Starting takes a part of the time for the first document. */
let begun: number | null = performance.now();
const { kind, becomes } = JSON.parse(process.argv[2]!) as ProcessStart;
if (becomes !== null) {
  const { uid, gid } = becomes;
  await loadReader(kind);
  process.setgroups!([]);
  process.setgid!(gid);
  process.setuid!(uid);
}
for await (const { order, bytes } of framesIn(process.stdin)) {
  const spentMs = begun === null ? 0 : performance.now() - begun;
  begun = null;
  const result = await readDocument(bytes, kind, { ...order, ms: order.ms - spentMs });
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
