/** What the test files of one process share. scripts/test-worker.ts closes it. */
import { after } from 'node:test';

type Close = () => unknown;

const ofFile: Close[] = [];
const ofProcess: Close[] = [];

/** Has this called when the tests of the running file have ended. */
export const atEndOfFile = (close: Close): void => void ofFile.push(close);

/** Returns a function that opens something at its first call, for all files of this process. It is closed after the last file. */
export function shared<T>(open: () => Promise<T>, close: (opened: T) => unknown): () => Promise<T> {
  let opening: Promise<T> | null = null;
  return () => {
    if (opening === null) {
      const first = open();
      opening = first;
      ofProcess.push(async () => close(await first));
    }
    return opening;
  };
}

export const closeFile = (): Promise<void> => closeAll(ofFile);
export const closeProcess = (): Promise<void> => closeAll(ofProcess);

/** The last one first, because it may use those before it. */
async function closeAll(closers: Close[]): Promise<void> {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
}

// Where Node itself runs a test file, the process has no other. A script that is no test must not become one by this hook.
if (process.execArgv.some((option) => option.startsWith('--test')))
  after(async () => {
    await closeFile();
    await closeProcess();
  });
