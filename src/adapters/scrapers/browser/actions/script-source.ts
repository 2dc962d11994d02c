import { randomBytes } from 'node:crypto';
import { Script } from 'node:vm';

/** Characters of JSON that a script may give. */
export const MOST_RESULT = 2 ** 20;

/** Where a page has what we need of its built-ins, as they were before its scripts ran. */
const BUILT_INS = `_${randomBytes(8).toString('hex')}`;
const TAKEN = `(() => {
  const { getTime, toISOString } = Date.prototype;
  const { stringify, parse } = JSON;
  const { getOwnPropertyDescriptor, defineProperty } = Object;
  return { getTime, toISOString, stringify, parse, getOwnPropertyDescriptor, defineProperty, apply: Reflect.apply };
})()`;

/** To be run in each document before all others: `scriptSource` then depends on nothing that scripts of the page replace. */
export const TAKE_BUILT_INS = `Object.defineProperty(globalThis, '${BUILT_INS}', { value: Object.freeze(${TAKEN}) });`;

/**
 * What is evaluated in the page for a script of the caller: it gives a text, whose first letter says what the rest is:
 * `r` the result as JSON, `l` the length of a result that is too long, `e` what was thrown. Of what a page can change, nothing
 * decides how long that text is: `typeof`, `length` and places of a string are the language's own.
 * @param script an expression (a function is called), or the body of an async function of `arg`
 */
export function scriptSource(script: string, arg: unknown): string {
  return `(async () => {
  const most = ${MOST_RESULT};
  const builtIns = globalThis.${BUILT_INS} ?? ${TAKEN};
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
    const arg = ${literal(arg)};
    const run = ${functionOf(script)};
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
export function conditionSource(script: string, arg: unknown): string {
  return scriptSource(
    `async (arg) => { let value = await (${functionOf(script)})(arg); if (typeof value === 'function') value = await value(arg); return value ? 1 : 0; }`,
    arg,
  );
}

/** A function of `arg`. Whether it is an expression is found out by parsing it as one. */
function functionOf(script: string): string {
  const expression = `(async (arg) => (${withoutEnd(script)}\n))`;
  if (parses(expression)) return expression;
  const body = `(async (arg) => {${script}\n})`;
  // Of what this engine does not know the browser's may know more.
  return parses(body) || /\breturn\b|;/.test(script) ? body : expression;
}

/** Without the semicolons and blanks at its end, looked for from there: a pattern would begin at each of many anew. */
function withoutEnd(script: string): string {
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
const literal = (arg: unknown): string => `parse(${JSON.stringify(JSON.stringify(arg))})`;
