import { isObject } from '../../domain/json-schema.ts';
import { mapIfChanged, withoutNulls } from '../schema/json-value.ts';
import type { Schema } from '../schema/validation.ts';
import { ACTIONS } from './page-action-schema.ts';

type Action = Readonly<Record<string, unknown>>;

/** Nested deeper than any action may be; what is below is refused anyway. */
const MAX_NORMALISED_DEPTH = 8;

/** `{"click": "#a"}` and `{"action": "click", …}` become `{"type": "click", …}`; also in branches. */
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

/** The one key of a shorthand, or null when the action is written out. */
function shorthandType(action: unknown): string | null {
  if (!isObject(action)) return null;
  const names = Object.keys(action);
  const name = names[0];
  if (names.length !== 1 || name === undefined || !ACTIONS.has(name)) return null;
  // `{"type": "reload"}` is an action written out, not the shorthand of `type`.
  if (name === 'type' && !isObject(action.type)) return null;
  return name;
}

/**
 * Of a shorthand whose value stands for one member of the action: the key that the caller wrote, and that member. null:
 * the action is written out, or the value names its members itself.
 */
export function shorthandMember(action: unknown): { readonly name: string; readonly member: string } | null {
  const name = shorthandType(action);
  // One that has no main member takes no plain value.
  if (name === null || ACTIONS.get(name)?.mainMember == null) return null;
  const value = (action as Action)[name];
  const found = Object.entries(membersOf(name, value)).find(([, stands]) => stands === value);
  return found === undefined ? null : { name, member: found[0] };
}

function expandShorthand(action: Action): Action {
  const type = shorthandType(action);
  if (type !== null) {
    const members = membersOf(type, action[type]);
    // A `type` inside would replace the one that the shorthand says: then it is no shorthand, and is refused.
    return Object.hasOwn(members, 'type') ? action : { type, ...members };
  }
  if (!Object.hasOwn(action, 'action')) return action;
  const { action: named, ...rest } = action;
  if (named === null) return rest;
  // Given under both names: left as it is, so that the second is refused as unknown.
  return (rest.type ?? null) === null ? { ...rest, type: named } : action;
}

/** What the value of a shorthand stands for: its main member, or an object of members. */
function membersOf(type: string, value: unknown): Action {
  const main = ACTIONS.get(type)?.mainMember ?? null;
  if (value === null || value === true) return {};
  if (isObject(value)) {
    const parted = Object.hasOwn(value, 'type') && Object.hasOwn(value, 'value');
    if (main === 'selector' && parted) return { selector: value };
    return main === 'schema' && !isObject(value.schema) ? { schema: value } : value;
  }
  if (type === 'scroll' && value !== 'top' && value !== 'bottom') return { selector: value };
  return { [main ?? 'value']: value };
}
