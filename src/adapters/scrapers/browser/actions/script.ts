import { setTimeout as pause } from 'node:timers/promises';
import type { ActionOf, PageAction } from '../../../../domain/page-action.ts';
import { orAborted } from '../visit/raw-body.ts';
import { type Done, NOTHING } from './done.ts';
import { conditionSource, MOST_RESULT, scriptSource } from './script-source.ts';
import type { Turn } from './turn.ts';
import { wakePage } from './wake-page.ts';

/** Nothing that reads an answer has to go deeper. */
const DEEPEST = 200;
const LOOK_MS = 100;

export async function evaluate({ script, arg }: ActionOf<'evaluate'>, turn: Turn): Promise<Done> {
  const given = await inPage(scriptSource(script, arg), turn);
  const rest = given.slice(1);
  if (given.startsWith('e')) return { failed: `the script threw ${rest}` };
  if (given.startsWith('l'))
    return { result: null, cut: `It has ${rest} characters as JSON; the limit is ${MOST_RESULT}.` };
  if (isDeeper(rest, DEEPEST)) return { failed: `the result is nested deeper than ${DEEPEST} levels` };
  try {
    return { result: JSON.parse(rest) };
  } catch {
    return { failed: 'the page returned something that is not JSON' };
  }
}

export async function waitForFunction(
  { script, arg }: ActionOf<'wait_for_function'>,
  turn: Turn,
): Promise<Done> {
  const source = conditionSource(script, arg);
  for (;;) {
    // A document that goes away takes the question with it.
    const given = await inPage(source, turn).catch((error: Error) => {
      if (!GONE.test(error.message)) throw error;
      return 'r0';
    });
    if (given === 'r1') return NOTHING;
    if (given.startsWith('e')) return { failed: `the script threw ${given.slice(1)}` };
    await pause(LOOK_MS, null, { signal: turn.signal });
  }
}

/** Whether scripts of the caller are among them. */
export function haveScripts(actions: readonly PageAction[]): boolean {
  return actions.some((action) => {
    if (action.type === 'if') return haveScripts([...(action.yes ?? []), ...(action.no ?? [])]);
    return action.type === 'evaluate' || action.type === 'wait_for_function';
  });
}

const GONE = /context was destroyed|default execution context|navigat|detached/i;

/** Runs a script of ours, and ends it when the time is up. */
async function inPage(source: string, turn: Turn): Promise<string> {
  // Playwright's way needs built-ins that the page may have replaced; but only it knows the world of a frame.
  const run = turn.frameElement === null ? inMainFrame(source, turn) : (await turn.frame()).evaluate(source);
  try {
    return String(await orAborted(run, turn.signal));
  } catch (error) {
    if (turn.signal.aborted) await wakePage(turn.stage.session);
    throw error;
  }
}

async function inMainFrame(expression: string, { stage }: Turn): Promise<unknown> {
  const ask = { expression, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await stage.session.send('Runtime.evaluate', ask);
  if (exceptionDetails !== undefined)
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

/** Brackets and braces that are open at once, outside of strings. */
function isDeeper(json: string, levels: number): boolean {
  let open = 0;
  let inText = false;
  for (let n = 0; n < json.length; n++) {
    const char = json.charCodeAt(n);
    if (inText) {
      if (char === 0x5c) n++;
      else if (char === 0x22) inText = false;
    } else if (char === 0x22) inText = true;
    else if (char === 0x5b || char === 0x7b) {
      if (++open > levels) return true;
    } else if (char === 0x5d || char === 0x7d) open--;
  }
  return false;
}
