import { isObject, type Json, type JsonObject, type Path, pointerOf, sameJson } from './json.ts';
import type { Scan } from './json-scan.ts';
import type { Offer } from './offer.ts';
import { kindsByTag } from './page-actions.ts';
import { type JsonSchema, refusalOf, resolved } from './schema.ts';

export interface Note {
  readonly pointer: string;
  readonly text: string;
}

const MOST = 50;

/** What of the request this build is going to refuse: unknown members, and those that it does not offer. */
export function notesOn(request: JsonObject, offer: Offer): readonly Note[] {
  const notes: Note[] = [];
  walk(offer.request, request, [], offer, notes);
  return notes;
}

function walk(given: JsonSchema, value: Json, path: Path, offer: Offer, notes: Note[]): void {
  if (notes.length >= MOST) return;
  const schema = branchFor(resolved(given, offer.components), value, offer);
  const refused = refusalOf(schema, value);
  if (typeof value === 'string' && refused !== undefined)
    notes.push({ pointer: pointerOf(path), text: refused });
  if (Array.isArray(value) && schema.items !== undefined) {
    for (const [index, item] of value.entries()) walk(schema.items, item, [...path, index], offer, notes);
  }
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const place = [...path, name];
    const known = memberSchema(schema, name, path, offer);
    if (known === 'unknown') notes.push({ pointer: pointerOf(place), text: unknownText(path, offer) });
    else if (known !== 'any') {
      const text = asks(known, member) ? refusalOfMember(known, offer) : undefined;
      if (text !== undefined) notes.push({ pointer: pointerOf(place), text });
      else walk(known, member, place, offer, notes);
    }
  }
}

function unknownText(path: Path, { scraper }: Offer): string {
  return path[0] === 'scraper_options' && path.length === 1
    ? `Not an option of the scraper ${scraper?.name ?? 'named'}.`
    : 'Unknown field.';
}

function refusalOfMember(schema: JsonSchema, { browser }: Offer): string | undefined {
  const refusal = refusalOf(schema);
  if (refusal !== undefined) return refusal;
  return schema['x-sluice-needs'] === 'browser' && !browser ? 'Needs a browser scraper.' : undefined;
}

function memberSchema(
  schema: JsonSchema,
  name: string,
  path: Path,
  offer: Offer,
): JsonSchema | 'unknown' | 'any' {
  if (path.length === 0 && name === 'scraper_options' && offer.scraper !== undefined) return offer.options;
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) {
    return resolved(properties[name]!, offer.components);
  }
  return additionalProperties === false ? 'unknown' : 'any';
}

/** The branch of a union that takes such values: by its tag, or by their type. */
function branchFor(schema: JsonSchema, value: Json, { components }: Offer): JsonSchema {
  const kinds = kindsByTag(schema, components);
  if (kinds !== null) {
    const tag = isObject(value) ? value[schema.discriminator!.propertyName] : undefined;
    return (typeof tag === 'string' ? kinds.get(tag) : undefined) ?? {};
  }
  const branches = schema.anyOf?.map((one) => resolved(one, components));
  if (branches === undefined) return schema;
  const type = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : typeof value;
  return branches.find((branch) => branch.type === type) ?? {};
}

/** A default, null, false, 0 or something empty asks for nothing, and is taken everywhere. */
function asks(schema: JsonSchema, value: Json): boolean {
  if (value === null || value === false || value === 0 || value === '') return false;
  if (schema.default !== undefined && sameJson(schema.default, value)) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (!isObject(value)) return true;
  return Object.entries(value).some(([name, member]) => asks(schema.properties?.[name] ?? {}, member));
}

/** The notes by the line of the JSON that they are about; a member that is not there belongs to what it should be in. */
export function linesOfNotes(notes: readonly Note[], { lines }: Scan): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const { pointer, text } of notes) {
    let at = pointer;
    while (at !== '' && !lines.has(at)) at = at.slice(0, at.lastIndexOf('/'));
    const line = lines.get(at);
    if (line !== undefined) found.set(line, text);
  }
  return found;
}
