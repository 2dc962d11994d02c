import { t } from '@lingui/core/macro';
import type { Schema } from '../api/client.ts';
import { type AnyScrape, isObject, requestedActions, type SentRequest } from './scrape.ts';

type Members = Readonly<Record<string, unknown>>;

/** The result of a page action, with its target. */
export interface ActionStep extends Schema<'ActionResult'> {
  /** The target as a short text; null: it is not known, or the action has none. */
  readonly target: string | null;
  /** The action is in a branch of an `if` action. */
  readonly nested: boolean;
}

/** The steps in the order of execution. */
export function actionSteps({ scraper_data }: AnyScrape, request: SentRequest): readonly ActionStep[] {
  const requested = requestedActions(request).map((action) => expandAction(action));
  const seenIndexes = new Set<number>();
  return (scraper_data.actions ?? []).map((result) => {
    const outermost = requested[result.index];
    // Actions in the branches of an `if` follow it, with the same index.
    const nested = seenIndexes.has(result.index);
    seenIndexes.add(result.index);
    const action = nested && outermost !== undefined ? onlyMatch(outermost, result) : outermost;
    return { ...result, target: action?.type === result.type ? actionTarget(action) : null, nested };
  });
}

/** Expands an action: `{type, …}`, `{action, …}` or `{click: …}`. */
function expandAction(action: unknown): Members | undefined {
  if (!isObject(action)) return undefined;
  if (typeof action.type === 'string') return action;
  if (typeof action.action === 'string') return { ...action, type: action.action };
  const [shortForm, ...others] = Object.entries(action);
  if (shortForm === undefined || others.length > 0) return undefined;
  const [type, value] = shortForm;
  return isObject(value) && value.value === undefined ? { ...value, type } : { type, value };
}

/** The action in the branches of an `if` that this result belongs to; undefined if several may be meant. */
function onlyMatch(ifAction: Members, { type, id }: Schema<'ActionResult'>): Members | undefined {
  const nestedActions = (action: Members): readonly Members[] =>
    [action.then, action.else]
      .flatMap((branch) => (Array.isArray(branch) ? branch.map(expandAction) : []))
      .flatMap((nested) => (nested === undefined ? [] : [nested, ...nestedActions(nested)]));
  const matches = nestedActions(ifAction).filter(
    (action) => action.type === type && (id === null || action.id === id),
  );
  return matches.length === 1 ? matches[0] : undefined;
}

/** The members that describe the target of an action, the most specific first. */
const TARGET_MEMBERS = [
  'selector',
  'url',
  'key',
  'ms',
  'to',
  'state',
  'status_code',
  'click_selector',
  'script',
  'name',
];
/** Their `value` is not shown, because a typed text may be a secret. */
const TYPING_ACTIONS: ReadonlySet<string> = new Set(['type', 'fill', 'select']);

function actionTarget(action: Members): string | null {
  for (const name of TARGET_MEMBERS) {
    const text = textOf(name, action[name]);
    if (text !== null) return text;
  }
  if (typeof action.x === 'number' && typeof action.y === 'number') return `${action.x}, ${action.y}`;
  return TYPING_ACTIONS.has(String(action.type)) ? null : textOf('value', action.value);
}

function textOf(name: string, value: unknown): string | null {
  if (typeof value === 'number') return name === 'ms' ? `${value} ms` : String(value);
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (typeof value === 'string') return value.split('\n', 1)[0]!.slice(0, 300);
  // A selector with its kind.
  if (isObject(value) && typeof value.value === 'string') {
    const kind = value.type === 'css' || value.type === undefined ? '' : `${String(value.type)}=`;
    const selector = `${kind}${value.value}`;
    return typeof value.nth === 'number' ? t`${selector} (no. ${value.nth + 1})` : selector;
  }
  return null;
}
