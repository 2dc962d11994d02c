import { createContext, Script } from 'node:vm';

const sandbox: { run: (() => unknown) | null } = { run: null };
const context = createContext(sandbox);
const script = new Script('run()');

/**
 * Runs `work` and terminates it when it takes longer than `ms`. A selector, path or regular expression of a caller can
 * take forever on a document, and nothing else can stop a loop or a regular expression. Costs about 0.2 ms, too much for
 * every scrape. Errors of `work` are thrown.
 * @returns null when the time was up
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
