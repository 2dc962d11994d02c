/** Free-form: what is null in there means null. */
const FREE = new Set(['storage_state', 'arg', 'data']);
const DEEPEST = 16;

/** Without the members that are null, at every level; the same object when there is none. */
export function withoutNulls(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return mapped(value, (item) => withoutNulls(item, depth + 1));
  const source = value as Readonly<Record<string, unknown>>;
  let changed: Record<string, unknown> | null = null;
  for (const name of Object.keys(source)) {
    const member = source[name];
    if (typeof member !== 'object' || (member !== null && FREE.has(name))) continue;
    const better = withoutNulls(member, depth + 1);
    if (member !== null && better === member) continue;
    changed ??= { ...source };
    if (member === null) delete changed[name];
    else changed[name] = better;
  }
  return changed ?? value;
}

/** Array.map that gives the same array when no element changed. */
export function mapped(list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  let changed: unknown[] | null = null;
  for (let i = 0; i < list.length; i++) {
    const better = change(list[i]);
    if (better === list[i]) continue;
    changed ??= [...list];
    changed[i] = better;
  }
  return changed ?? list;
}
