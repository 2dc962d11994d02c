import { randomBytes } from 'node:crypto';
import { Script } from 'node:vm';
import type { CDPSession } from 'playwright-core';
import { orAborted, orTimeout, sleep } from '../../../base/wait.ts';
import type { ActionOf, PageAction } from '../../../domain/page-action.ts';
import { type ActionContext, type ActionOutcome, NO_RESULT } from './action-context.ts';

/** The longest JSON that a script may return. */
const MAX_SCRIPT_RESULT = 2 ** 20;

/** The global property in which the original built-ins are stored; a random name, so that no page can know it. */
const BUILT_INS_KEY = `_${randomBytes(8).toString('hex')}`;
const BUILT_INS_SOURCE = `(() => {
  const { getTime, toISOString } = Date.prototype;
  const { stringify, parse } = JSON;
  const { getOwnPropertyDescriptor, defineProperty } = Object;
  return { getTime, toISOString, stringify, parse, getOwnPropertyDescriptor, defineProperty, apply: Reflect.apply };
})()`;

/** To be run in each document before its scripts, so that `scriptSource` does not depend on built-ins that they replace. */
export const SAVE_BUILT_INS_SCRIPT = `Object.defineProperty(globalThis, '${BUILT_INS_KEY}', { value: Object.freeze(${BUILT_INS_SOURCE}) });`;

/**
 * The source that is evaluated in the page for a script of the caller. It returns a text whose first letter says what the rest is:
 * `r` the result as JSON, `l` the length of a result that is too long, `e` the error. The page cannot make that text longer,
 * because its length is checked only with operations that a page cannot replace: `typeof`, `length` and indexes of strings.
 * @param script an expression (a function is called), or the body of an async function of `arg`
 */
export function scriptSource(script: string, arg: unknown): string {
  return `(async () => {
  const maxLength = ${MAX_SCRIPT_RESULT};
  const builtIns = globalThis.${BUILT_INS_KEY} ?? ${BUILT_INS_SOURCE};
  const { getTime, toISOString, stringify, parse, getOwnPropertyDescriptor, defineProperty, apply } = builtIns;
  const shorten = (text) => {
    if (typeof text !== 'string') return 'something that is not an error';
    let start = '';
    for (let n = 0; n < text.length && n < 500; n++) start += text[n];
    return start;
  };
  // Pages may define toJSON on built-in prototypes (Prototype.js does), which would change the result.
  const jsonOf = (value) => {
    const prototypes = [{}.__proto__, [].__proto__, ''.__proto__, (0).__proto__, true.__proto__];
    const date = Date.prototype;
    const originals = [];
    const dateOriginal = getOwnPropertyDescriptor(date, 'toJSON');
    for (let n = 0; n < prototypes.length; n++) {
      originals[n] = getOwnPropertyDescriptor(prototypes[n], 'toJSON');
      if (originals[n] !== undefined) delete prototypes[n].toJSON;
    }
    try {
      const iso = function () {
        const time = apply(getTime, this, []);
        return time === time ? apply(toISOString, this, []) : null;
      };
      if (dateOriginal?.configurable !== false) defineProperty(date, 'toJSON', { configurable: true, value: iso });
      return stringify(value);
    } finally {
      for (let n = 0; n < prototypes.length; n++)
        if (originals[n] !== undefined) defineProperty(prototypes[n], 'toJSON', originals[n]);
      if (dateOriginal !== undefined) defineProperty(date, 'toJSON', dateOriginal);
    }
  };
  try {
    const arg = ${jsonLiteral(arg)};
    const run = ${functionSource(script)};
    let value = await run(arg);
    if (typeof value === 'function') value = await value(arg);
    const json = value === undefined || typeof value === 'function' ? 'null' : jsonOf(value);
    if (typeof json !== 'string') return 'rnull';
    return json.length > maxLength ? 'l' + json.length : 'r' + json;
  } catch (error) {
    try {
      return 'e' + shorten(error instanceof Error ? error.name + ': ' + error.message : String(error));
    } catch {
      return 'e' + shorten();
    }
  }
})()`;
}

/** The source for a condition of the caller: it returns `r1` if the value is truthy, else `r0`. */
function conditionSource(script: string, arg: unknown): string {
  return scriptSource(
    `async (arg) => { let value = await (${functionSource(script)})(arg); if (typeof value === 'function') value = await value(arg); return value ? 1 : 0; }`,
    arg,
  );
}

/** A function of `arg`. The script is an expression if it can be parsed as one. */
function functionSource(script: string): string {
  const expression = `(async (arg) => (${withoutTrailingSemicolons(script)}\n))`;
  if (parses(expression)) return expression;
  const body = `(async (arg) => {${script}\n})`;
  // Neither can be parsed here: the browser may know newer syntax than Node.
  return parses(body) || /\breturn\b|;/.test(script) ? body : expression;
}

/** A loop, because a regular expression would take quadratic time for many semicolons. */
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

/** The source of a JSON value. Not an object literal, in which a member `__proto__` would set the prototype. */
const jsonLiteral = (arg: unknown): string => `parse(${JSON.stringify(JSON.stringify(arg))})`;

/** A page that is not busy responds within this time. */
const RESPONSE_MS = 150;

/**
 * Terminates a script that keeps the page busy, so that the page can be read. If the page responds, nothing is terminated:
 * it would be the next script.
 */
async function terminateEndlessScript(session: Pick<CDPSession, 'send'>): Promise<void> {
  const response = session.send('Page.getLayoutMetrics').then(
    () => true,
    () => true,
  );
  if (await orTimeout(response, RESPONSE_MS, false)) return;
  const termination = session.send('Runtime.terminateExecution').catch(() => {});
  await orTimeout(termination, RESPONSE_MS, undefined);
}

/** Deeper results could overflow the stack of a parser, in this service or in its callers. */
const MAX_DEPTH = 200;
const POLL_MS = 100;

export async function evaluate(
  { script, arg }: ActionOf<'evaluate'>,
  context: ActionContext,
): Promise<ActionOutcome> {
  const text = await evaluateInPage(scriptSource(script, arg), context);
  const rest = text.slice(1);
  if (text.startsWith('e')) return { error: `the script threw ${rest}` };
  if (text.startsWith('l'))
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
  context: ActionContext,
): Promise<ActionOutcome> {
  const source = conditionSource(script, arg);
  for (;;) {
    // When the document is replaced, the condition is evaluated in the next one.
    const text = await evaluateInPage(source, context).catch((error: Error) => {
      if (!CONTEXT_DESTROYED.test(error.message)) throw error;
      return 'r0';
    });
    if (text === 'r1') return NO_RESULT;
    if (text.startsWith('e')) return { error: `the script threw ${text.slice(1)}` };
    await sleep(POLL_MS, context.signal);
    context.signal.throwIfAborted();
  }
}

/** Whether any action runs a script of the caller. */
export function hasScripts(actions: readonly PageAction[]): boolean {
  return actions.some((action) => {
    if (action.type === 'if')
      return hasScripts([...(action.thenActions ?? []), ...(action.elseActions ?? [])]);
    return action.type === 'evaluate' || action.type === 'wait_for_function';
  });
}

const CONTEXT_DESTROYED = /context was destroyed|default execution context|navigat|detached/i;

/** Evaluates a source in the page, and terminates it after the timeout. */
async function evaluateInPage(source: string, context: ActionContext): Promise<string> {
  // Playwright's `evaluate` needs built-ins that the page may have replaced, so it is used only for frames.
  const running =
    context.frameElement === null
      ? evaluateInMainFrame(source, context)
      : (await context.frame()).evaluate(source);
  try {
    return String(await orAborted(running, context.signal));
  } catch (error) {
    if (context.signal.aborted) await terminateEndlessScript(context.env.session);
    throw error;
  }
}

async function evaluateInMainFrame(expression: string, { env }: ActionContext): Promise<unknown> {
  const params = { expression, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await env.session.send('Runtime.evaluate', params);
  if (exceptionDetails !== undefined)
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

/** Counts nested brackets and braces, outside of strings. */
function isDeeperThan(json: string, levels: number): boolean {
  let open = 0;
  let inString = false;
  for (let n = 0; n < json.length; n++) {
    const char = json.charCodeAt(n);
    if (inString) {
      if (char === 0x5c) n++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x5b || char === 0x7b) {
      if (++open > levels) return true;
    } else if (char === 0x5d || char === 0x7d) open--;
  }
  return false;
}
