import type { QueryField, Scalar } from './request-schema.ts';

/**
 * `a=1&b=x%20y`, in the order given; empty when nothing is left after dropping what is null.
 * @param enough a length at which it may end early, because the URL is too long anyway
 */
export function encodeQuery(query: QueryField, enough: number): string {
  let text = '';
  const add = (name: string, value: Scalar | null) => {
    if (value === null || text.length > enough) return;
    text += `${text === '' ? '' : '&'}${percentEncoded(name)}=${percentEncoded(String(value))}`;
  };
  if (Array.isArray(query)) {
    for (const entry of query as readonly (readonly [string, Scalar | null])[]) {
      if (Array.isArray(entry)) add(entry[0], entry[1]);
      else {
        const named = entry as unknown as { readonly name: string; readonly value: Scalar | null };
        add(named.name, named.value);
      }
    }
    return text;
  }
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value) add(name, one);
    else add(name, value as Scalar | null);
  }
  return text;
}

/**
 * UTF-8, a space as `%20`. The apostrophe too, because the URL parser encodes it in the query of http URLs, and the
 * text made here is not parsed again.
 */
function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');
}
