import { elementSelectorProblem, selectorProblem } from '../content/document/css-selector.ts';
import { jsonPathProblem } from '../content/json/json-path.ts';
import { jsonSchemaProblem } from '../content/json/validate-json.ts';
import { xpathProblem } from '../content/xpath/xpath.ts';
import { type Failure, failure } from '../domain/failure.ts';
import { type CompareOptions, isIgnoredSelector } from '../domain/monitors.ts';
import type { ElementLocator, ExtractRule, PageAction } from '../domain/page-action.ts';
import type { ReadingOptions } from '../domain/reading.ts';
import type { Task } from '../domain/task.ts';

const MAX_PROBLEMS = 10;
const MAX_SHOWN_CHARACTERS = 100;

type Check = (pointer: string, value: string | null, problem: (text: string) => string | null) => void;

/** Why selectors and paths of a request are invalid: the schema only checks that they are strings. */
export function requestProblems(task: Task): readonly Failure[] {
  const { accept, compareTo } = task.router;
  const { screenshot } = task.options;
  const { waitForSelector: selector, pageActions: actions } = task.browser;
  const problems: Failure[] = [];
  const check = checkInto(problems);
  check('/wait_for_selector', selector, elementSelectorProblem);
  checkActions(actions, check);
  check('/scraper_options/screenshot/selector', screenshot.selector, elementSelectorProblem);
  checkReading(task.options, '/scraper_options', check);
  checkSchema(task.options, '/scraper_options', problems);
  if (accept !== null) {
    check('/router/accept/selector', accept.selector, selectorProblem);
    check('/router/accept/json_path', accept.jsonPath, jsonPathProblem);
  }
  if (compareTo !== null) checkCompare(compareTo, '/router/compare_to', check);
  return problems.slice(0, MAX_PROBLEMS);
}

/** The same of the options for reading alone. @param pointer of the object that has them as members */
export function readingProblems(options: ReadingOptions, pointer: string): readonly Failure[] {
  const problems: Failure[] = [];
  checkReading(options, pointer, checkInto(problems));
  checkSchema(options, pointer, problems);
  return problems.slice(0, MAX_PROBLEMS);
}

/** The same of the options of a comparison. @param pointer of the object that has them as members */
export function compareProblems(options: CompareOptions, pointer: string): readonly Failure[] {
  const problems: Failure[] = [];
  checkCompare(options, pointer, checkInto(problems));
  return problems.slice(0, MAX_PROBLEMS);
}

function checkCompare({ selector, ignore }: CompareOptions, pointer: string, check: Check): void {
  check(`${pointer}/selector`, selector, selectorProblem);
  for (const [index, entry] of ignore.entries())
    if (isIgnoredSelector(entry)) check(`${pointer}/ignore/${index}`, entry, selectorProblem);
}

const checkInto =
  (problems: Failure[]): Check =>
  (pointer, value, problem) => {
    const message = value === null ? null : problem(value);
    if (message !== null) problems.push(unreadableSelector(pointer, value!, message));
  };

function checkReading({ extract, mainContent }: ReadingOptions, pointer: string, check: Check): void {
  for (const member of ['include', 'exclude'] as const)
    for (const [n, css] of mainContent[member].entries())
      check(`${pointer}/main_content/${member}/${n}`, css, selectorProblem);
  if (extract !== null) checkRules(extract, check);
}

function checkSchema({ json }: ReadingOptions, pointer: string, problems: Failure[]): void {
  const problem = json === null || json.schema === null ? null : jsonSchemaProblem(json.schema);
  const at = `${pointer}/json/schema`;
  if (problem !== null) problems.push(failure('request.validation', `\`${at}\` ${problem}`, { pointer: at }));
}

/** @param why the message of the parser */
function unreadableSelector(pointer: string, value: string, why: string): Failure {
  // The schema does not limit the length of every selector.
  const shown = value.replace(/^css=/, '').slice(0, MAX_SHOWN_CHARACTERS);
  const message = `\`${pointer}\` cannot be read: ${why}; got ${JSON.stringify(shown)}`;
  return failure('request.validation', message, { pointer });
}

function checkRules(rules: readonly ExtractRule[], check: Check): void {
  for (const { pointer, selector, language, output } of rules) {
    check(pointer, selector, language === 'css' ? selectorProblem : xpathProblem);
    if (output.kind === 'rules') checkRules(output.rules, check);
  }
}

function checkActions(actions: readonly PageAction[], check: Check): void {
  for (const action of actions) {
    for (const member of Object.values(action))
      if (isElement(member)) check(member.pointer, member.selector, elementSelectorProblem);
    if (action.type === 'extract') checkRules(action.rules, check);
    else if (action.type === 'if')
      for (const branch of [action.thenActions, action.elseActions])
        if (branch !== null) checkActions(branch, check);
  }
}

function isElement(member: unknown): member is ElementLocator {
  return typeof member === 'object' && member !== null && 'selector' in member && 'pointer' in member;
}
