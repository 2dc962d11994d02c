import { workerData } from 'node:worker_threads';
import { copyDatabase } from './backup.ts';
import { handleRequests } from './storage-threads.ts';

export interface BackupData {
  readonly file: string;
}

const { file } = workerData as BackupData;

handleRequests({
  copy: (to: string) => copyDatabase(file, to),
  close: () => null,
});
