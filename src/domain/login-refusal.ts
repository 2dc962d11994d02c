import type { Scope } from './account.ts';
import { type Failure, failure } from './failure.ts';
import type { PageAction } from './page-action.ts';
import type { Task } from './task.ts';

/** `auth.scope` if the task logs in with a profile, and the key may not use profiles; null: it may run. */
export function loginRefusal(
  { scopes }: { readonly scopes: readonly Scope[] },
  { browser }: Pick<Task, 'browser'>,
): Failure | null {
  if (scopes.includes('profiles')) return null;
  const login = firstLogin(browser.pageActions);
  return login === null
    ? null
    : failure('auth.scope', 'The action `login` needs a key with the scope `profiles`.', {
        pointer: login.pointer,
      });
}

function firstLogin(actions: readonly PageAction[]): PageAction | null {
  for (const action of actions) {
    const found =
      action.type === 'if'
        ? firstLogin([...(action.thenActions ?? []), ...(action.elseActions ?? [])])
        : action.type === 'login'
          ? action
          : null;
    if (found !== null) return found;
  }
  return null;
}
