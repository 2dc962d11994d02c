import { randomBytes } from 'node:crypto';
import { Script } from 'node:vm';
import type { CDPSession } from 'playwright-core';
import { orAborted, orTimeout, sleep } from '../../../base/wait.ts';
import type { ActionOf, PageAction } from '../../../domain/page-action.ts';
import { type ActionContext, type ActionOutcome, NO_RESULT } from './action-context.ts';

/** Characters of JSON that a script may give. */
const MAX_SCRIPT_RESULT = 2 ** 20;

/** Where a page has what we need of its built-ins, as they were before its scripts ran. */
const BUILT_INS_KEY = `_${randomBytes(8).toString('hex')}`;
const BUILT_INS_SOURCE = `(() => {
  const { getTime, toISOString } = Date.prototype;
  const { stringify, parse } = JSON;
  const { getOwnPropertyDescriptor, defineProperty } = Object;
  return { getTime, toISOString, stringify, parse, getOwnPropertyDescriptor, defineProperty, apply: Reflect.apply };
})()`;

/** To be run in each document before all others: `scriptSource` then depends on nothing that scripts of the page replace. */
export const SAVE_BUILT_INS_SCRIPT = `Object.defineProperty(globalThis, '${BUILT_INS_KEY}', { value: Object.freeze(${BUILT_INS_SOURCE}) });`;

/**
 * What is evaluated in the page for a script of the caller: it gives a text, whose first letter says what the rest is:
 * `r` the result as JSON, `l` the length of a result that is too long, `e` what was thrown. Of what a page can change, nothing
 * decides how long that text is: `typeof`, `length` and places of a string are the language's own.
 * @param script an expression (a function is called), or the body of an async function of `arg`
 */
export function scriptSource(script: string, arg: unknown): string {
  return `(async () => {
  const most = ${MAX_SCRIPT_RESULT};
  const builtIns = globalThis.${BUILT_INS_KEY} ?? ${BUILT_INS_SOURCE};
  const { getTime, toISOString, stringify, parse, getOwnPropertyDescriptor, defineProperty, apply } = builtIns;
  const short = (text) => {
    if (typeof text !== 'string') return 'something that is not an error';
    let start = '';
    for (let n = 0; n < text.length && n < 500; n++) start += text[n];
    return start;
  };
  // A toJSON of the page's own on what all values inherit (Prototype.js has them) would write something else in their place.
  const jsonOf = (value) => {
    const all = [{}.__proto__, [].__proto__, ''.__proto__, (0).__proto__, true.__proto__];
    const date = Date.prototype;
    const before = [];
    const ofDate = getOwnPropertyDescriptor(date, 'toJSON');
    for (let n = 0; n < all.length; n++) {
      before[n] = getOwnPropertyDescriptor(all[n], 'toJSON');
      if (before[n] !== undefined) delete all[n].toJSON;
    }
    try {
      const iso = function () {
        const time = apply(getTime, this, []);
        return time === time ? apply(toISOString, this, []) : null;
      };
      if (ofDate?.configurable !== false) defineProperty(date, 'toJSON', { configurable: true, value: iso });
      return stringify(value);
    } finally {
      for (let n = 0; n < all.length; n++)
        if (before[n] !== undefined) defineProperty(all[n], 'toJSON', before[n]);
      if (ofDate !== undefined) defineProperty(date, 'toJSON', ofDate);
    }
  };
  try {
    const arg = ${jsonLiteral(arg)};
    const run = ${functionSource(script)};
    let value = await run(arg);
    if (typeof value === 'function') value = await value(arg);
    const json = value === undefined || typeof value === 'function' ? 'null' : jsonOf(value);
    if (typeof json !== 'string') return 'rnull';
    return json.length > most ? 'l' + json.length : 'r' + json;
  } catch (error) {
    try {
      return 'e' + short(error instanceof Error ? error.name + ': ' + error.message : String(error));
    } catch {
      return 'e' + short();
    }
  }
})()`;
}

/** The same for a condition: `r1` when it is true in JavaScript, `r0` when not. */
function conditionSource(script: string, arg: unknown): string {
  return scriptSource(
    `async (arg) => { let value = await (${functionSource(script)})(arg); if (typeof value === 'function') value = await value(arg); return value ? 1 : 0; }`,
    arg,
  );
}

/** A function of `arg`. Whether it is an expression is found out by parsing it as one. */
function functionSource(script: string): string {
  const expression = `(async (arg) => (${withoutTrailingSemicolons(script)}\n))`;
  if (parses(expression)) return expression;
  const body = `(async (arg) => {${script}\n})`;
  // Of what this engine does not know the browser's may know more.
  return parses(body) || /\breturn\b|;/.test(script) ? body : expression;
}

/** Without the semicolons and blanks at its end, looked for from there: a pattern would begin at each of many anew. */
function withoutTrailingSemicolons(script: string): string {
  let end = script.length;
  while (end > 0 && /[;\s]/.test(script[end - 1]!)) end--;
  return script.slice(0, end);
}

function parses(source: string): boolean {
  try {
    new Script(source);
    return true;
  } catch {
    return false;
  }
}

/** JSON as an expression; a member `__proto__` would set the prototype. */
const jsonLiteral = (arg: unknown): string => `parse(${JSON.stringify(JSON.stringify(arg))})`;

/** What a page that does nothing endless answers in. */
const RESPONSE_MS = 150;

/**
 * Ends a script of the page that does not end by itself, so that the page can be read. A page that answers is left alone:
 * there the next script would be the one that ends.
 */
async function terminateEndlessScript(session: Pick<CDPSession, 'send'>): Promise<void> {
  const answers = session.send('Page.getLayoutMetrics').then(
    () => true,
    () => true,
  );
  if (await orTimeout(answers, RESPONSE_MS, false)) return;
  const ended = session.send('Runtime.terminateExecution').catch(() => {});
  await orTimeout(ended, RESPONSE_MS, undefined);
}

/** Nothing that reads an answer has to go deeper. */
const MAX_DEPTH = 200;
const POLL_MS = 100;

export async function evaluate(
  { script, arg }: ActionOf<'evaluate'>,
  turn: ActionContext,
): Promise<ActionOutcome> {
  const given = await evaluateInPage(scriptSource(script, arg), turn);
  const rest = given.slice(1);
  if (given.startsWith('e')) return { error: `the script threw ${rest}` };
  if (given.startsWith('l'))
    return {
      result: null,
      truncation: `It has ${rest} characters as JSON; the limit is ${MAX_SCRIPT_RESULT}.`,
    };
  if (isDeeperThan(rest, MAX_DEPTH)) return { error: `the result is nested deeper than ${MAX_DEPTH} levels` };
  try {
    return { result: JSON.parse(rest) };
  } catch {
    return { error: 'the page returned something that is not JSON' };
  }
}

export async function waitForFunction(
  { script, arg }: ActionOf<'wait_for_function'>,
  turn: ActionContext,
): Promise<ActionOutcome> {
  const source = conditionSource(script, arg);
  for (;;) {
    // A document that goes away takes the question with it.
    const given = await evaluateInPage(source, turn).catch((error: Error) => {
      if (!CONTEXT_DESTROYED.test(error.message)) throw error;
      return 'r0';
    });
    if (given === 'r1') return NO_RESULT;
    if (given.startsWith('e')) return { error: `the script threw ${given.slice(1)}` };
    await sleep(POLL_MS, turn.signal);
    turn.signal.throwIfAborted();
  }
}

/** Whether scripts of the caller are among them. */
export function hasScripts(actions: readonly PageAction[]): boolean {
  return actions.some((action) => {
    if (action.type === 'if') return hasScripts([...(action.yes ?? []), ...(action.no ?? [])]);
    return action.type === 'evaluate' || action.type === 'wait_for_function';
  });
}

const CONTEXT_DESTROYED = /context was destroyed|default execution context|navigat|detached/i;

/** Runs a script of ours, and ends it when the time is up. */
async function evaluateInPage(source: string, turn: ActionContext): Promise<string> {
  // Playwright's way needs built-ins that the page may have replaced; but only it knows the world of a frame.
  const run =
    turn.frameElement === null ? evaluateInMainFrame(source, turn) : (await turn.frame()).evaluate(source);
  try {
    return String(await orAborted(run, turn.signal));
  } catch (error) {
    if (turn.signal.aborted) await terminateEndlessScript(turn.env.session);
    throw error;
  }
}

async function evaluateInMainFrame(expression: string, { env }: ActionContext): Promise<unknown> {
  const ask = { expression, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await env.session.send('Runtime.evaluate', ask);
  if (exceptionDetails !== undefined)
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

/** Brackets and braces that are open at once, outside of strings. */
function isDeeperThan(json: string, levels: number): boolean {
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
