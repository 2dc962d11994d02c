import { workerData } from 'node:worker_threads';
import { openConnection } from './connection.ts';
import { keepConnection } from './kept-connection.ts';
import { prepareRun, type Statement } from './run-statements.ts';
import { serve } from './serve.ts';

export interface ReaderData {
  readonly file: string;
}

const { file } = workerData as ReaderData;
const connection = keepConnection(
  () => openConnection({ file, durability: 'normal', readonly: true }),
  (db) => prepareRun(db),
);

serve({
  open: () => connection.use(() => null),
  run: (statements: readonly Statement[]) => connection.use((run) => run(statements)),
  close: () => connection.close(() => {}),
});
