import type { Schema } from '../api/client.ts';
import { type AnyScrape, isRecord, requestedActions, type SentRequest } from './scrape.ts';

type Members = Readonly<Record<string, unknown>>;

/** What became of one page action, with what it was to do. */
export interface ActionStep extends Schema<'ActionResult'> {
  /** In a few words; null: it is not known, or there is nothing to say. */
  readonly on: string | null;
  /** It stands in a branch of the `if` of its place. */
  readonly nested: boolean;
}

/** The steps in the order in which they were done. */
export function actionSteps({ scraper_data }: AnyScrape, request: SentRequest): readonly ActionStep[] {
  const requested = requestedActions(request).map((one) => expandAction(one));
  const seen = new Set<number>();
  return (scraper_data.actions ?? []).map((one) => {
    const place = requested[one.index];
    // What an `if` did follows it, with the same index.
    const nested = seen.has(one.index);
    seen.add(one.index);
    const action = nested && place !== undefined ? onlyMatch(place, one) : place;
    return { ...one, on: action?.type === one.type ? actionTarget(action) : null, nested };
  });
}

/** An action whose type is told in one of the three ways that the API takes. */
function expandAction(action: unknown): Members | undefined {
  if (!isRecord(action)) return undefined;
  if (typeof action.type === 'string') return action;
  if (typeof action.action === 'string') return { ...action, type: action.action };
  const [only, ...more] = Object.entries(action);
  if (only === undefined || more.length > 0) return undefined;
  const [type, value] = only;
  return isRecord(value) && value.value === undefined ? { ...value, type } : { type, value };
}

/** The action within the branches that it must be; undefined when there are several like it. */
function onlyMatch(branches: Members, { type, id }: Schema<'ActionResult'>): Members | undefined {
  const within = (action: Members): readonly Members[] =>
    [action.then, action.else]
      .flatMap((branch) => (Array.isArray(branch) ? branch.map(expandAction) : []))
      .flatMap((one) => (one === undefined ? [] : [one, ...within(one)]));
  const alike = within(branches).filter((one) => one.type === type && (id === null || one.id === id));
  return alike.length === 1 ? alike[0] : undefined;
}

/** The members that say what an action is about, the most telling first. What is typed may be a secret. */
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
  if (isRecord(value) && typeof value.value === 'string') {
    const kind = value.type === 'css' || value.type === undefined ? '' : `${String(value.type)}=`;
    const nth = typeof value.nth === 'number' ? ` (no. ${value.nth + 1})` : '';
    return `${kind}${value.value}${nth}`;
  }
  return null;
}
