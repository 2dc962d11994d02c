import { isObject, type Json, type JsonObject } from './json.ts';
import { type Components, type JsonSchema, resolved } from './schema.ts';

/** Limit of nested `if` actions. It is above that of the service, which refuses the request then. */
const MAX_DEPTH = 8;

/** The schemas of a tagged union by tag, such as those of page actions by `type`. */
export function variantsByTag(
  schema: JsonSchema,
  components: Components,
): ReadonlyMap<string, JsonSchema> | null {
  const tag = schema.discriminator?.propertyName;
  if (tag === undefined || schema.oneOf === undefined) return null;
  const kinds = schema.oneOf.map((branch) => resolved(branch, components));
  return new Map(kinds.map((kind) => [String(kind.properties?.[tag]?.const), kind]));
}

/** Expands the short forms of page actions, as the service does, so that each member has one field. */
export function expandActions(request: JsonObject, components: Components): JsonObject {
  const { page_actions: actions } = request;
  const kinds = variantsByTag(components.PageAction ?? {}, components);
  if (!Array.isArray(actions) || kinds === null) return request;
  return { ...request, page_actions: actions.map((action) => expandNested(action, kinds, 0)) };
}

function expandNested(action: Json, kinds: ReadonlyMap<string, JsonSchema>, depth: number): Json {
  if (!isObject(action)) return action;
  const expanded = expandAction(action, kinds);
  if (expanded.type !== 'if' || depth > MAX_DEPTH) return expanded;
  const branches = ['then', 'else'].flatMap((name) => {
    const branch = expanded[name];
    return Array.isArray(branch)
      ? [[name, branch.map((action) => expandNested(action, kinds, depth + 1))]]
      : [];
  });
  return branches.length === 0 ? expanded : { ...expanded, ...Object.fromEntries(branches) };
}

/** `{"click": "#a"}` and `{"action": "click", "selector": "#a"}` as `{"type": "click", "selector": "#a"}`. */
function expandAction(action: JsonObject, kinds: ReadonlyMap<string, JsonSchema>): JsonObject {
  const [type, ...others] = Object.keys(action);
  const isShort = type !== undefined && others.length === 0 && kinds.has(type);
  // `type` is also a kind of action: `{"type": {…}}` is its short form, `{"type": "click"}` is no short form.
  if (isShort && (type !== 'type' || isObject(action.type))) {
    const members = shorthandMembers(type, action[type]!, kinds.get(type)!);
    return Object.hasOwn(members, 'type') ? action : { type, ...members };
  }
  if (!Object.hasOwn(action, 'action') || Object.hasOwn(action, 'type')) return action;
  const { action: kind, ...rest } = action;
  return { type: kind!, ...rest };
}

/** The members that the value of a short form stands for. */
function shorthandMembers(type: string, value: Json, schema: JsonSchema): JsonObject {
  // The member that a value which is no object stands for.
  const main = schema['x-sluice-shorthand'];
  if (value === null || value === true) return {};
  if (isObject(value)) {
    // A selector may itself be an object: `{"type": "css", "value": "#a"}`.
    const isSelector = Object.hasOwn(value, 'type') && Object.hasOwn(value, 'value');
    if (main === 'selector' && isSelector) return { selector: value };
    return main === 'schema' && !isObject(value.schema) ? { schema: value } : value;
  }
  if (type === 'scroll' && value !== 'top' && value !== 'bottom') return { selector: value };
  return { [main ?? 'value']: value };
}

/** Members that at least this share of the kinds have are common: the form shows them in a part of their own. */
const COMMON_SHARE = 0.75;

/** Names of the members that nearly all kinds have, without the tag. */
export function commonMembers(kinds: ReadonlyMap<string, JsonSchema>, tag: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { properties = {} } of kinds.values()) {
    for (const name of Object.keys(properties)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  counts.delete(tag);
  return new Set([...counts].filter(([, count]) => count >= COMMON_SHARE * kinds.size).map(([name]) => name));
}
