import { createHash } from 'node:crypto';
import type { RowData } from '../domain/datasets.ts';
import { isObject } from '../domain/json-schema.ts';

type Fields = ReadonlyMap<string, unknown>;

const isList = (value: unknown): value is readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

/**
 * The rows that the data of a page is: `extract` and `json` together (of equal names `extract` counts). A list of objects is a row for
 * each. If one field alone is a list of objects, each of these is a row, with their fields beside those of the page. An empty list is no
 * value, because it does not tell of what it is a list.
 */
export function rowsOfData(data: Readonly<Record<string, unknown>>): readonly Fields[] {
  const { extract, json } = data;
  for (const whole of [extract, json]) if (isList(whole)) return whole.map(fieldsOf);
  const page = new Map([
    ...(isObject(json) ? fieldsOf(json) : []),
    ...(isObject(extract) ? fieldsOf(extract) : []),
  ]);
  for (const [name, value] of page) if (Array.isArray(value) && value.length === 0) page.delete(name);
  if (page.size === 0) return [];
  const lists = [...page].filter(([, value]) => isList(value));
  if (lists.length !== 1) return [page];
  const [name, list] = lists[0] as [string, readonly Readonly<Record<string, unknown>>[]];
  page.delete(name);
  return list.map((one) => new Map([...page, ...fieldsOf(one)]));
}

const fieldsOf = (object: Readonly<Record<string, unknown>>): Map<string, unknown> =>
  new Map(Object.entries(object));

const digest = (parts: readonly unknown[]): Uint8Array =>
  Uint8Array.from(createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16));

/** @param key names of columns; null: URL and index @param fields as they came */
export const rowKey = (key: readonly string[] | null, fields: Fields, { url, index }: RowData): Uint8Array =>
  key === null ? digest([url, index]) : digest(key.map((name) => fields.get(name) ?? null));

/** Of what may differ between two runs. */
export const rowHash = ({ status, title, values }: RowData): Uint8Array =>
  digest([status, title, ...withoutEnd(values)]);

/** A column that is added later changes no row. */
function withoutEnd(values: readonly unknown[]): readonly unknown[] {
  let end = values.length;
  while (end > 0 && (values[end - 1] ?? null) === null) end--;
  return values.slice(0, end);
}
