import { urlGlobProblem } from '../../base/url-glob.ts';
import { isObject } from '../schema/build.ts';
import { checkDepth } from '../schema/depth.ts';
import { type Problems, wrong } from '../schema/problems.ts';
import { readExtract } from './extract.ts';
import { readTarget } from './target.ts';

type Action = Readonly<Record<string, unknown>>;

/** What the schema of an action cannot say. */
export function checkMeaning(action: Action, at: string, problems: Problems): void {
  switch (action.type) {
    case 'goto':
      readTarget(String(action.url), undefined, `${at}/url`, problems);
      break;
    case 'wait_for_url':
    case 'wait_for_response':
      checkGlob(String(action.url), `${at}/url`, problems);
      break;
    case 'evaluate':
    case 'wait_for_function':
      checkDepth(action.arg, `${at}/arg`, problems);
      break;
    case 'extract':
      readExtract(action.schema, `${at}/schema`, problems);
      break;
    case 'click':
      checkAll(action, at, problems);
      break;
    case 'screenshot':
      // An element is always taken wholly; of a frame only what is to be seen of it.
      if (action.full_page === true && action.selector === undefined && action.frame !== undefined)
        wrong(problems, `${at}/full_page`, 'cannot be combined with `frame`');
      break;
  }
}

function checkGlob(glob: string, at: string, problems: Problems): void {
  const problem = urlGlobProblem(glob);
  if (problem !== null) wrong(problems, at, `is not a valid glob: ${problem}`);
}

function checkAll({ all, selector }: Action, at: string, problems: Problems): void {
  if (all !== true) return;
  if (selector === undefined) wrong(problems, `${at}/all`, 'needs `selector`');
  else if (isObject(selector) && selector.nth !== undefined)
    wrong(problems, `${at}/all`, 'cannot be combined with `nth`');
}
