import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe } from 'node:test';
import { type Sdk, type SdkOutcome, sdkContract } from '../contracts/sdk.ts';
import { ROOT } from './repository.ts';

/** That of Debian, which has Debian's httpx. */
const PYTHON = '/usr/bin/python3';
const RUNNER = join(import.meta.dirname, 'sdk_runner.py');
const env = {
  ...process.env,
  PYTHONPATH: join(ROOT, 'clients/python/src'),
  PYTHONDONTWRITEBYTECODE: '1',
};

const checked = spawnSync(PYTHON, ['-c', 'import httpx'], { encoding: 'utf8' });
/** Why these tests cannot run here; false: they can. For the option `skip`. */
const NO_PYTHON: string | false =
  checked.status === 0 ? false : 'there is no httpx (Debian: apt-get install python3-httpx)';

/** The SDK in a process of its own, for all tests of the calling `describe`. Calls are made one after the other. */
function usePython(mode: 'sync' | 'async'): Sdk {
  let child: ChildProcess | undefined;
  let lines: AsyncIterator<string> | undefined;
  before(() => {
    child = spawn(PYTHON, [RUNNER, mode], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
  });
  after(async () => {
    child?.stdin?.end();
    if (child?.exitCode === null) await new Promise((resolve) => child!.once('exit', resolve));
  });
  const ask = async (question: unknown): Promise<SdkOutcome> => {
    child!.stdin!.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await lines!.next();
    if (done === true) throw new Error(`${RUNNER} has ended`);
    return JSON.parse(value) as SdkOutcome;
  };
  return {
    call: ask,
    cannotAbort: mode === 'sync' && 'a synchronous call ends by its time limit alone',
    verifyWebhook: (...verify) => ask({ verify }),
  };
}

/** The contract suite of SDKs for one of the two clients. */
export function pythonContract(mode: 'sync' | 'async'): void {
  describe(`Python, ${mode}`, { skip: NO_PYTHON }, () => sdkContract(`Python SDK, ${mode}`, usePython(mode)));
}
