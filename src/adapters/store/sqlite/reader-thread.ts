import { workerData } from 'node:worker_threads';
import type { Statement } from '../queries/statements.ts';
import { createReopeningConnection, openConnection } from './database.ts';
import { prepareRun } from './prepared-statements.ts';
import { handleRequests } from './storage-threads.ts';

export interface ReaderData {
  readonly file: string;
}

const { file } = workerData as ReaderData;
const connection = createReopeningConnection(
  () => openConnection({ file, durability: 'normal', readonly: true }),
  (db) => prepareRun(db),
);

handleRequests({
  open: () => connection.use(() => null),
  run: (statements: readonly Statement[]) => connection.use((run) => run(statements)),
  close: () => connection.close(),
});
