import { isObject } from '../../domain/json-schema.ts';
import { mapIfChanged, withoutNulls } from '../schema/json-value.ts';
import type { Schema } from '../schema/validation.ts';
import { ACTIONS } from './page-action-schema.ts';

type Action = Readonly<Record<string, unknown>>;

/** Actions nested this deep are refused, so deeper ones need not be normalised. */
const MAX_NORMALISED_DEPTH = 8;

/**
 * Converts an action to its full form: `{"click": "#a"}` and `{"action": "click", …}` become `{"type": "click", …}`, also in
 * the branches of an `if`. Removes optional members that are null.
 */
export function normaliseAction(action: unknown, depth = 0): unknown {
  if (!isObject(action)) return action;
  let full = expandShorthand(action);
  if (full.type === 'if' && depth <= MAX_NORMALISED_DEPTH) {
    for (const name of ['then', 'else']) {
      const branch = full[name];
      if (!Array.isArray(branch)) continue;
      full = { ...full, [name]: mapIfChanged(branch, (inner) => normaliseAction(inner, depth + 1)) };
    }
  }
  const kind = typeof full.type === 'string' ? ACTIONS.get(full.type) : undefined;
  return kind === undefined ? full : withoutNulls(full, kind.schema as Schema);
}

/** The type of a shorthand, which is its only key; null: the action is not a shorthand. */
function shorthandType(action: unknown): string | null {
  if (!isObject(action)) return null;
  const names = Object.keys(action);
  const name = names[0];
  if (names.length !== 1 || name === undefined || !ACTIONS.has(name)) return null;
  // `{"type": "reload"}` is a full action. `{"type": {"text": "a"}}` is the shorthand of the action `type`.
  if (name === 'type' && !isObject(action.type)) return null;
  return name;
}

/**
 * For a shorthand such as `{"click": "#a"}`: its key (`name`), and the member that its value becomes (`member`). null: not
 * a shorthand, or its value is an object of members.
 */
export function shorthandMember(action: unknown): { readonly name: string; readonly member: string } | null {
  const name = shorthandType(action);
  // Without a main member, `membersOf` puts the value under `value`, which is not a member of the action.
  if (name === null || ACTIONS.get(name)?.mainMember == null) return null;
  const value = (action as Action)[name];
  const entry = Object.entries(membersOf(name, value)).find(([, memberValue]) => memberValue === value);
  return entry === undefined ? null : { name, member: entry[0] };
}

function expandShorthand(action: Action): Action {
  const type = shorthandType(action);
  if (type !== null) {
    const members = membersOf(type, action[type]);
    // A member `type` would replace the type of the shorthand. Left as it is, such an action is refused.
    return Object.hasOwn(members, 'type') ? action : { type, ...members };
  }
  if (!Object.hasOwn(action, 'action')) return action;
  const { action: typeName, ...rest } = action;
  if (typeName === null) return rest;
  // With both `type` and `action`, the action is left as it is, so that the schema refuses `action` as unknown.
  return (rest.type ?? null) === null ? { ...rest, type: typeName } : action;
}

/** The members that the value of a shorthand stands for: its main member, or the members of an object. */
function membersOf(type: string, value: unknown): Action {
  const mainMember = ACTIONS.get(type)?.mainMember ?? null;
  if (value === null || value === true) return {};
  if (isObject(value)) {
    const isSelectorObject = Object.hasOwn(value, 'type') && Object.hasOwn(value, 'value');
    if (mainMember === 'selector' && isSelectorObject) return { selector: value };
    return mainMember === 'schema' && !isObject(value.schema) ? { schema: value } : value;
  }
  if (type === 'scroll' && value !== 'top' && value !== 'bottom') return { selector: value };
  // Without a main member, the schema of the action refuses `value` as unknown.
  return { [mainMember ?? 'value']: value };
}
