import type { Scope } from './account.ts';
import { type Failure, failure } from './failure.ts';
import { findAction } from './page-action.ts';
import type { Task } from './task.ts';

/** `auth.scope` if the task logs in with a profile, and the key may not use profiles; null: it may run. */
export function loginRefusal(
  { scopes }: { readonly scopes: readonly Scope[] },
  { browser }: Pick<Task, 'browser'>,
): Failure | null {
  if (scopes.includes('profiles')) return null;
  const login = findAction(browser.pageActions, ({ type }) => type === 'login');
  return login === null
    ? null
    : failure('auth.scope', 'The action `login` needs a key with the scope `profiles`.', {
        pointer: login.pointer,
      });
}
