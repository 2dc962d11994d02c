import type { Schema } from '../../../api/client.ts';
import { isObject, type Json, type JsonObject, type Path, pointerOf } from './json.ts';
import { expandActions } from './page-actions.ts';
import {
  branchOf,
  type Components,
  type ControlKind,
  controlKind,
  type JsonSchema,
  refusalOf,
  resolved,
} from './schema.ts';

export type Scraper = Schema<'ScraperList'>['items'][number];

export const GROUPS = ['request', 'scraper', 'wait', 'output', 'proxy', 'router'] as const;
export type Group = (typeof GROUPS)[number];

/** Where members stand in the form; one that is not here is in the group of what it is in. */
const GROUP_OF: Readonly<Record<string, Group>> = {
  '/scraper': 'scraper',
  '/browser_type': 'scraper',
  '/headless': 'scraper',
  '/scraper_options': 'scraper',
  '/wait_for_selector': 'wait',
  '/wait_for_timeout_ms': 'wait',
  '/wait_for_load_state': 'wait',
  '/page_actions': 'wait',
  '/scraper_options/wait_for_selector_state': 'wait',
  '/screenshot': 'output',
  '/scraper_options/screenshot': 'output',
  '/scraper_options/max_content_bytes': 'output',
  '/scraper_options/content_encoding': 'output',
  '/scraper_options/formats': 'output',
  '/scraper_options/only_main_content': 'output',
  '/scraper_options/extract': 'output',
  '/scraper_options/capture': 'output',
  '/proxy': 'proxy',
  '/router': 'router',
};

/** The group in which the member of a pointer is edited. */
export function groupOf(pointer: string): Group {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const group = GROUP_OF[at];
    if (group !== undefined) return group;
  }
  return 'request';
}

/** Members whose value may be a text, which then stands for that member of the object. */
const SHORTHANDS: Readonly<Record<string, string>> = { proxy: 'type', router: 'sort' };

export interface Field {
  readonly path: Path;
  readonly pointer: string;
  readonly name: string;
  readonly kind: ControlKind;
  readonly schema: JsonSchema;
  /** What it is in is nothing without it. */
  readonly required?: boolean;
}

/** A text that may be as long as this has lines. */
const ONE_LINE_MAX = 10_000;

export const hasLines = ({ kind, schema }: Field): boolean =>
  kind === 'text' && (schema.maxLength ?? 0) > ONE_LINE_MAX;

/** What this build takes, as its own description says, for the scraper that the request names. */
export interface RequestSupport {
  readonly components: Components;
  readonly request: JsonSchema;
  readonly options: JsonSchema;
  readonly scrapers: readonly Scraper[];
  readonly scraper: Scraper | undefined;
  /** Whether the scraper, or one that it may choose, is a browser. */
  readonly browser: boolean;
  /** Those of this machine. */
  readonly browsers: InstalledBrowsers;
}

export function requestSupportFor(
  components: Components,
  { items: scrapers, browsers }: Schema<'ScraperList'>,
  request: JsonObject,
): RequestSupport {
  const scraper = scrapers.find(({ name }) => name === (request.scraper ?? 'auto'));
  return {
    components,
    request: components.ScrapeRequest ?? {},
    options: (scraper?.options ?? {}) as JsonSchema,
    scrapers,
    scraper,
    browser: scraper?.available === true && scraper.capabilities.javascript,
    browsers,
  };
}

/** A file of a program: a form for each member would help nobody. */
const AS_JSON = new Set(['/scraper_options/storage_state']);

export const isReadFromFile = ({ pointer }: Field): boolean => AS_JSON.has(pointer);

/** Edited by controls of their own, above the groups or inside of them. */
const OWN_CONTROLS = new Set(['url', 'method', 'data', 'scraper']);

/** Every field that has a place in a group, in the order of the description. */
export function fieldsOf(support: RequestSupport): readonly Field[] {
  const fields: Field[] = [];
  for (const [name, given] of Object.entries(support.request.properties ?? {})) {
    if (OWN_CONTROLS.has(name) || !isSupported(given, support)) continue;
    if (name === 'scraper_options') fields.push(...membersOf(['scraper_options'], support.options, support));
    else if (Object.hasOwn(SHORTHANDS, name)) {
      const schema = branchOf(resolved(given, support.components), 'object', support.components);
      fields.push(...membersOf([name], objectBranch(given, support.components) ?? schema, support));
    } else fields.push(fieldOf([name], given, support));
  }
  return fields;
}

function objectBranch(schema: JsonSchema, components: Components): JsonSchema | undefined {
  return schema.anyOf?.map((one) => resolved(one, components)).find(({ type }) => type === 'object');
}

/** The fields of an object's members that are offered. */
export function membersOf(path: Path, schema: JsonSchema, support: RequestSupport): readonly Field[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, member]) => isSupported(member, support))
    .map(([name, member]) => fieldOf([...path, name], member, support));
}

function fieldOf(path: Path, given: JsonSchema, { components, scraper }: RequestSupport): Field {
  const whole = resolved(given, components);
  const pointer = pointerOf(path);
  const kind = AS_JSON.has(pointer) ? 'json' : controlKind(whole, components);
  const schema = withoutBrowserOnly(branchOf(whole, kind, components), scraper);
  return { path, pointer, name: String(path.at(-1)), kind, schema };
}

/** Without the word that only a browser honours the member, where one is chosen. */
function withoutBrowserOnly(schema: JsonSchema, scraper: Scraper | undefined): JsonSchema {
  const { description } = schema;
  const chosen = scraper !== undefined && scraper.name !== 'auto' && scraper.capabilities.javascript;
  if (description === undefined || !chosen) return schema;
  const rest = description.replace(/ ?\bBrowser only\./, '').trim();
  const { description: _, ...bare } = schema;
  return rest === '' ? bare : { ...schema, description: rest };
}

export function isSupported(schema: JsonSchema, { browser }: RequestSupport): boolean {
  return refusalOf(schema) === undefined && (schema['x-sluice-needs'] !== 'browser' || browser);
}

/** Where a pointer of the service is in the written-out request: a shorthand is told as the member that it is for. */
export function fieldPointer(pointer: string): string {
  const member = SHORTHANDS[pointer.slice(1)];
  return member === undefined ? pointer : `${pointer}/${member}`;
}

/** The request with every shorthand written out, so that each member has one place. */
export function expandShorthands(request: JsonObject, components: Components): JsonObject {
  let written = expandActions(request, components);
  for (const [name, member] of Object.entries(SHORTHANDS)) {
    const value = request[name];
    if (typeof value === 'string' && !value.includes(':'))
      written = { ...written, [name]: { [member]: value } };
  }
  return written;
}

/** The short form again where only the one member is left. */
export function collapseShorthands(request: JsonObject): JsonObject {
  let short = request;
  for (const [name, member] of Object.entries(SHORTHANDS)) {
    const value: Json | undefined = request[name];
    if (isObject(value) && Object.keys(value).length === 1 && typeof value[member] === 'string') {
      short = { ...short, [name]: value[member] };
    }
  }
  return short;
}

type InstalledBrowsers = Schema<'ScraperList'>['browsers'];

/** Another name of the API for the same type. */
const ALIASES: Readonly<Record<string, string>> = { edge: 'msedge' };

interface BrowserTypeNote {
  /** Why no scrape can have it here; undefined: one can. */
  readonly refusal: string | undefined;
  /** Which one it is. */
  readonly note: string | undefined;
}

/** What is to be known of a `browser_type` on this machine. */
export function browserTypeNote({ items }: InstalledBrowsers, type: Json): BrowserTypeNote {
  const name = ALIASES[String(type)] ?? type;
  const ofType = items.filter(({ browser_type }) => browser_type === name);
  const used = ofType.find((one) => one.used);
  if (used === undefined) {
    const reasons = new Set(ofType.flatMap(({ reason }) => reason ?? []));
    return { refusal: reasons.size === 0 ? 'Not installed here.' : [...reasons].join(' '), note: undefined };
  }
  const words = [
    used.version,
    used.headed ? null : 'headless only',
    used.source === 'package' ? 'installed with Sluice' : null,
  ];
  return { refusal: undefined, note: words.filter((word) => word !== null).join(', ') };
}

/** Why `headless: false` is refused; undefined: it is not. @param type the one that is asked for, if any */
export function headedRefusal({ items }: InstalledBrowsers, type: Json | undefined): string | undefined {
  const name = ALIASES[String(type)] ?? type ?? 'chromium';
  const ofType = items.filter(({ browser_type }) => browser_type === name);
  if (!ofType.some(({ used }) => used) || ofType.some(({ headed }) => headed)) return undefined;
  const reasons = new Set(ofType.flatMap(({ reason }) => reason ?? []));
  return reasons.size === 0 ? 'This browser runs only headless.' : [...reasons].join(' ');
}
