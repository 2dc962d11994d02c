import { workerData } from 'node:worker_threads';
import { copyDatabase } from './copy-database.ts';
import { serve } from './serve.ts';

export interface BackupData {
  readonly file: string;
}

const { file } = workerData as BackupData;

serve({
  copy: (to: string) => copyDatabase(file, to),
  close: () => null,
});
