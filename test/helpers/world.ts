/**
 * What the test files of one process share: each thing is opened at its first use, and closed at the end of the process.
 * scripts/test-worker.ts runs the closers; each may fail only by an exception.
 */
type Close = () => unknown;

const ofFile: Close[] = [];
const ofProcess: Close[] = [];

/** Has this called when the tests of the running file have ended. */
export const atEndOfFile = (close: Close): void => void ofFile.push(close);
/** Has this called when no file will follow in this process. */
export const atEndOfProcess = (close: Close): void => void ofProcess.push(close);

export const closeFile = (): Promise<void> => closeAll(ofFile);
export const closeProcess = (): Promise<void> => closeAll(ofProcess);

/** The last one first, because it may use those before it. */
async function closeAll(closers: Close[]): Promise<void> {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
}
