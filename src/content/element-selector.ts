import { selectorProblem } from './css-selector.ts';

const ENGINE = /^(css|xpath|text)=/;
/** What browsers may know and we do not: it is for them to say. */
const BROWSERS_MATTER = /^Unknown pseudo|not (?:yet )?supported|^Parenthesis not matched/;
const CHAINED = 'text that contains ">>" must be in quotes';
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']' };

/**
 * What is wrong with the form of a selector for a browser, in words; null: nothing that can be seen from here.
 * @param selector with the prefix of its engine: `css=`, `xpath=`, `text=`
 */
export function elementSelectorProblem(selector: string): string | null {
  const engine = ENGINE.exec(selector)?.[1];
  const text = engine === undefined ? selector : selector.slice(engine.length + 1);
  if (text.trim() === '') return 'the selector is empty';
  // The engine would take it for the end of the selector, and the rest for another one.
  if (engine === 'text') return />>/.test(text) && !/^\s*["'/]/.test(text) ? CHAINED : null;
  if (engine === 'xpath') return xpathProblem(text);
  const problem = selectorProblem(text);
  if (problem === null || !BROWSERS_MATTER.test(problem)) return problem;
  return unclosed(text, true);
}

/** XPath 1.0 §3.7: literals have no escapes; nothing ends with what wants something after it. */
function xpathProblem(text: string): string | null {
  const open = unclosed(text, false);
  if (open !== null) return open;
  const end = text.trimEnd();
  if (end !== '/' && /[/@|=<>!+,]$|::$/.test(end)) return 'the expression ends before it is complete';
  return />>/.test(end.replace(/"[^"]*"|'[^']*'/g, '')) ? '">>" is not part of XPath' : null;
}

/** The first quote or bracket that is not closed, or closes nothing. @param escapes whether a backslash takes the next as it is */
function unclosed(text: string, escapes: boolean): string | null {
  const open: string[] = [];
  let quote = '';
  for (let n = 0; n < text.length; n++) {
    const char = text[n]!;
    if (escapes && char === '\\') n++;
    else if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '(' || char === '[') open.push(char);
    else if ((char === ')' || char === ']') && CLOSING[open.pop() ?? ''] !== char)
      return `"${char}" at character ${n + 1} has no opening counterpart`;
  }
  if (quote !== '') return `a ${quote} is not closed`;
  const last = open.pop();
  return last === undefined ? null : `a "${last}" is not closed`;
}
