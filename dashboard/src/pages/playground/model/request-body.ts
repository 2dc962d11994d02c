import { isObject, type Json } from './json.ts';

/** The kinds of request bodies in the form. */
export const BODY_KINDS = ['none', 'json', 'form', 'text', 'base64', 'multipart'] as const;
export type BodyKind = (typeof BODY_KINDS)[number];

/** Members of `data` that name the kind of the body. */
const KIND_MEMBERS: Readonly<Record<string, BodyKind>> = {
  $json: 'json',
  $form: 'form',
  $raw: 'text',
  $base64: 'base64',
  $multipart: 'multipart',
};

export function bodyKindOf(data: Json | undefined): BodyKind {
  if (data === undefined || data === null) return 'none';
  if (typeof data === 'string') return 'text';
  if (isObject(data)) {
    const member = Object.keys(KIND_MEMBERS).find((key) => Object.hasOwn(data, key));
    if (member !== undefined) return KIND_MEMBERS[member]!;
  }
  return 'json';
}

/** An initial value of this kind, which keeps the previous content if possible. */
export function emptyBody(kind: BodyKind, before: Json | undefined): Json | undefined {
  switch (kind) {
    case 'none':
      return undefined;
    case 'json':
      return asJson(textOf(before)) ?? {};
    case 'form':
      return { $form: {} };
    case 'text':
      return { $raw: textOf(before) };
    case 'base64':
      return { $base64: '' };
    case 'multipart':
      return { $multipart: [{ name: '', value: '' }] };
  }
}

/** The content of a JSON body. */
export const jsonOf = (data: Json | undefined): Json =>
  isObject(data) && Object.hasOwn(data, '$json') ? data.$json! : (data ?? null);

/** The member `data` for a JSON body: the value itself, unless the service would take it for another kind of body. */
export function jsonBody(value: Json): Json {
  const isContainer = typeof value === 'object' && value !== null;
  const namesKind = isObject(value) && Object.keys(KIND_MEMBERS).some((key) => Object.hasOwn(value, key));
  return isContainer && !namesKind ? value : { $json: value };
}

/** The content of a text or JSON body as text; '' for other kinds. */
function textOf(data: Json | undefined): string {
  if (typeof data === 'string') return data;
  if (isObject(data) && typeof data.$raw === 'string') return data.$raw;
  return bodyKindOf(data) === 'json' ? JSON.stringify(jsonOf(data), null, 2) : '';
}

/** The member `data` for a text that is a JSON object or array; undefined for other texts. */
function asJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null ? jsonBody(value) : undefined;
  } catch {
    return undefined;
  }
}
