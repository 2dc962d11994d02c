import { type Failure, failure } from '../domain/failure.ts';
import { findAction, runsScript } from '../domain/page-action.ts';
import type { Task } from '../domain/task.ts';

/**
 * Why a request may not use the profile of another user: the caller could read its values, by a script that encodes them in a way of
 * its own, or at a proxy server of the caller. null: it may.
 */
export function ownerOnly(
  name: string,
  { browser, proxyType }: Pick<Task, 'browser' | 'proxyType'>,
): Failure | null {
  const title = `The profile ${JSON.stringify(name)} is of another user`;
  const script = findAction(browser.pageActions, runsScript);
  if (script !== null)
    return failure('profile.owner', `${title}, so the action \`${script.type}\` may not run with it.`, {
      pointer: script.pointer,
    });
  return proxyType === 'custom'
    ? failure('profile.owner', `${title}, and does not go through a proxy server of your own.`, {
        pointer: '/proxy',
      })
    : null;
}
