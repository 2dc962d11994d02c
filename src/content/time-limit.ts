import { createContext, Script } from 'node:vm';

const sandbox: { run: (() => unknown) | null } = { run: null };
const context = createContext(sandbox);
const script = new Script('run()');

/**
 * Runs `work` and ends it by force when it takes longer than `ms`: selectors, paths and regular expressions of a caller
 * against documents of a stranger can take for ever, and nothing else stops a loop or a regular expression.
 * @returns null when the time was up; whatever `work` throws is thrown. Costs about 0.2 ms, so not for every scrape.
 */
export function runWithTimeLimit<T>(ms: number, work: () => T): { readonly value: T } | null {
  sandbox.run = work;
  try {
    return { value: script.runInContext(context, { timeout: Math.ceil(ms) }) as T };
  } catch (error) {
    if ((error as { code?: string } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    throw error;
  } finally {
    sandbox.run = null;
  }
}
