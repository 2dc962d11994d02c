import { t } from '@lingui/core/macro';
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

/** The groups of members in the form. A member that is not listed is in the group of its parent. */
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
  '/scraper_options/return_content': 'output',
  '/scraper_options/formats': 'output',
  '/scraper_options/only_main_content': 'output',
  '/scraper_options/main_content': 'output',
  '/scraper_options/markdown': 'output',
  '/scraper_options/extract': 'output',
  '/scraper_options/json': 'output',
  '/scraper_options/capture': 'output',
  '/proxy': 'proxy',
  '/router': 'router',
};

/** The group of the member with this pointer. */
export function groupOf(pointer: string): Group {
  for (let prefix = pointer; prefix !== ''; prefix = prefix.slice(0, prefix.lastIndexOf('/'))) {
    const group = GROUP_OF[prefix];
    if (group !== undefined) return group;
  }
  return 'request';
}

/** Members whose value may be a text instead of an object. The text is the value of this member of the object. */
const SHORTHANDS: Readonly<Record<string, string>> = { proxy: 'type', router: 'sort' };

export interface Field {
  readonly path: Path;
  readonly pointer: string;
  readonly name: string;
  readonly kind: ControlKind;
  readonly schema: JsonSchema;
  /** The parent object is invalid without it. */
  readonly required?: boolean;
}

/** A text that may have more characters than this is edited in several lines. */
const ONE_LINE_MAX = 10_000;

export const hasLines = ({ kind, schema }: Field): boolean =>
  kind === 'text' && (schema.maxLength ?? 0) > ONE_LINE_MAX;

/** What this build supports for the scraper of the request, according to its OpenAPI description. */
export interface RequestSupport {
  readonly components: Components;
  readonly request: JsonSchema;
  readonly options: JsonSchema;
  readonly scrapers: readonly Scraper[];
  readonly scraper: Scraper | undefined;
  /** Whether the scraper, or one that it may choose, is a browser. */
  readonly browser: boolean;
  /** The browsers of this machine. */
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

/** Members that programs generate. They are edited as JSON, or read from a file. */
const AS_JSON = new Set(['/scraper_options/storage_state']);

export const isReadFromFile = ({ pointer }: Field): boolean => AS_JSON.has(pointer);

/** Members with controls of their own, above or inside the groups. */
const OWN_CONTROLS = new Set(['url', 'method', 'data', 'scraper']);

/** All fields of the groups, in the order of the OpenAPI description. */
export function fieldsOf(support: RequestSupport): readonly Field[] {
  const fields: Field[] = [];
  for (const [name, schema] of Object.entries(support.request.properties ?? {})) {
    if (OWN_CONTROLS.has(name) || !isSupported(schema, support)) continue;
    if (name === 'scraper_options') fields.push(...membersOf(['scraper_options'], support.options, support));
    else if (Object.hasOwn(SHORTHANDS, name)) {
      const fallback = branchOf(resolved(schema, support.components), 'object', support.components);
      fields.push(...membersOf([name], objectBranch(schema, support.components) ?? fallback, support));
    } else fields.push(fieldOf([name], schema, support));
  }
  return fields;
}

function objectBranch(schema: JsonSchema, components: Components): JsonSchema | undefined {
  return schema.anyOf?.map((branch) => resolved(branch, components)).find(({ type }) => type === 'object');
}

/** The fields for the supported members of an object. */
export function membersOf(path: Path, schema: JsonSchema, support: RequestSupport): readonly Field[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, member]) => isSupported(member, support))
    .map(([name, member]) => fieldOf([...path, name], member, support));
}

function fieldOf(path: Path, unresolved: JsonSchema, { components, scraper }: RequestSupport): Field {
  const union = resolved(unresolved, components);
  const pointer = pointerOf(path);
  const kind = AS_JSON.has(pointer) ? 'json' : controlKind(union, components);
  const branch = branchOf(union, kind, components);
  const schema = union['x-sluice-needs'] === 'browser' ? withBrowserNote(branch, scraper) : branch;
  return { path, pointer, name: String(path.at(-1)), kind, schema };
}

/** Says that only a browser supports the member, unless the scraper is one. */
function withBrowserNote(schema: JsonSchema, scraper: Scraper | undefined): JsonSchema {
  const isBrowser = scraper !== undefined && scraper.name !== 'auto' && scraper.capabilities.javascript;
  if (isBrowser) return schema;
  const { description } = schema;
  const note = t`Browser only.`;
  return { ...schema, description: description === undefined ? note : `${description} ${note}` };
}

export function isSupported(schema: JsonSchema, { browser }: RequestSupport): boolean {
  return refusalOf(schema) === undefined && (schema['x-sluice-needs'] !== 'browser' || browser);
}

/** The pointer in the expanded request for a pointer of the service: `/proxy` → `/proxy/type`. */
export function fieldPointer(pointer: string): string {
  const member = SHORTHANDS[pointer.slice(1)];
  return member === undefined ? pointer : `${pointer}/${member}`;
}

/** Expands all shorthands, so that each member has one position. */
export function expandShorthands(request: JsonObject, components: Components): JsonObject {
  let expanded = expandActions(request, components);
  for (const [name, member] of Object.entries(SHORTHANDS)) {
    const value = request[name];
    // A `proxy` with a colon is a proxy URL, not a type.
    if (typeof value === 'string' && !value.includes(':'))
      expanded = { ...expanded, [name]: { [member]: value } };
  }
  return expanded;
}

/** The inverse: an object with only the member that a text stands for becomes that text. */
export function collapseShorthands(request: JsonObject): JsonObject {
  let collapsed = request;
  for (const [name, member] of Object.entries(SHORTHANDS)) {
    const value: Json | undefined = request[name];
    if (isObject(value) && Object.keys(value).length === 1 && typeof value[member] === 'string') {
      collapsed = { ...collapsed, [name]: value[member] };
    }
  }
  return collapsed;
}

type InstalledBrowsers = Schema<'ScraperList'>['browsers'];

/** Values of `browser_type` that the list of installed browsers has under another name. */
const ALIASES: Readonly<Record<string, string>> = { edge: 'msedge' };

interface BrowserTypeNote {
  /** Why this machine cannot use the browser type; undefined: it can. */
  readonly refusal: string | undefined;
  /** Name and version of the browser. */
  readonly note: string | undefined;
}

/** Whether a `browser_type` can be used on this machine. */
export function browserTypeNote({ items }: InstalledBrowsers, type: Json): BrowserTypeNote {
  const name = ALIASES[String(type)] ?? type;
  const ofType = items.filter(({ browser_type }) => browser_type === name);
  const used = ofType.find((browser) => browser.used);
  if (used === undefined) {
    const reasons = new Set(ofType.flatMap(({ reason }) => reason ?? []));
    return { refusal: reasons.size === 0 ? t`Not installed here.` : [...reasons].join(' '), note: undefined };
  }
  const notes = [
    used.version,
    used.headed ? null : t`headless only`,
    used.source === 'package' ? t`installed with Sluice` : null,
  ];
  return { refusal: undefined, note: notes.filter((note) => note !== null).join(', ') };
}

/** Why `headless: false` is refused; undefined: it is accepted. @param type the requested browser type, if any */
export function headedRefusal({ items }: InstalledBrowsers, type: Json | undefined): string | undefined {
  const name = ALIASES[String(type)] ?? type ?? 'chromium';
  const ofType = items.filter(({ browser_type }) => browser_type === name);
  if (!ofType.some(({ used }) => used) || ofType.some(({ headed }) => headed)) return undefined;
  const reasons = new Set(ofType.flatMap(({ reason }) => reason ?? []));
  return reasons.size === 0 ? t`This browser runs only headless.` : [...reasons].join(' ');
}
