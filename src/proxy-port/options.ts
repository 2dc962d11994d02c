import { nearestName } from '../base/nearest-name.ts';
import { type Failure, failure, isFailure } from '../domain/failure.ts';
import { isObject } from '../domain/json-schema.ts';
import { PROXY_TYPES } from '../domain/task.ts';
import { ProxySettings } from '../wire/request/proxy-options.ts';
import { RouterSettings } from '../wire/request/router-options.ts';
import { ScrapeRequest, ScraperOptionsField } from '../wire/request/scrape-request-schema.ts';
import { readJson } from '../wire/schema/read-json.ts';

/** The part of a JSON schema that says how a text is read. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface OptionName {
  /** Names of the member and of the objects around it. */
  readonly path: readonly string[];
  readonly schema: Schema;
}

/** Members that the proxied request itself gives, or whose results a proxied response has no place for. */
const NO_OPTIONS: ReadonlySet<string> = new Set([
  ...['url', 'method', 'headers', 'query', 'data', 'cookies'],
  ...['scraper_options.content_encoding', 'scraper_options.return_content', 'scraper_options.extract'],
  ...['router.dry_run', 'router.webhook', 'router.channels', 'router.notify_on', 'router.compare_to'],
]);

/** The objects whose members have a short name too: `country` is `proxy.country`. */
const OBJECTS: readonly (readonly [name: string, schema: Schema])[] = [
  ['proxy', ProxySettings as Schema],
  ['scraper_options', ScraperOptionsField as Schema],
  ['router', RouterSettings as Schema],
];

/**
 * Every name of an option → the member of the scrape request. It is derived from the schema of the request. `proxy` is the
 * type, or the URL of an own proxy.
 */
const NAMES: ReadonlyMap<string, OptionName> = optionNames();

function optionNames(): ReadonlyMap<string, OptionName> {
  const names = new Map<string, OptionName>();
  const add = (name: string, path: readonly string[], schema: Schema): void => {
    if (NO_OPTIONS.has(path.join('.'))) return;
    // A member of the request itself goes before one of its objects with the same name.
    if (!names.has(name)) names.set(name, { path, schema });
    for (const [member, inner] of Object.entries(schema.properties ?? {}))
      add(`${name}.${member}`, [...path, member], inner);
  };
  for (const [name, schema] of Object.entries((ScrapeRequest as Schema).properties!))
    if (!OBJECTS.some(([object]) => object === name)) add(name, [name], schema);
  names.set('proxy', { path: ['proxy', 'type'], schema: {} });
  for (const [object, { properties = {} }] of OBJECTS)
    for (const [member, schema] of Object.entries(properties)) {
      add(`${object}.${member}`, [object, member], schema);
      add(member, [object, member], schema);
    }
  return names;
}

/** Members of the scrape request, by their names. */
export type ScrapeMembers = Record<string, unknown>;

/**
 * Reads options into the members of a scrape request: `scraper=browser&accept.status=200,404`, or a JSON object.
 * @param members gets them; what it has already is replaced
 * @param source for messages, such as `The header Sluice-Options`
 * @returns why they are refused; null: they are read
 */
export function readOptions(text: string, members: ScrapeMembers, source: string): Failure | null {
  const options = text.trimStart().startsWith('{') ? fromJson(text, source) : fromText(text, source);
  if (isFailure(options)) return options;
  for (const [{ path }, value] of options) setMember(members, path, value);
  return null;
}

type ReadOptions = readonly (readonly [option: OptionName, value: unknown])[];

function fromText(text: string, source: string): ReadOptions | Failure {
  const texts = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) texts.set(name, [...(texts.get(name) ?? []), value]);
  const options: [OptionName, unknown][] = [];
  for (const [name, values] of texts) {
    const option = NAMES.get(name);
    if (option === undefined) return unknownOption(name, source);
    const isList = typesOf(option.schema).has('array');
    if (values.length > 1 && !isList) return refused(twice(source, name));
    options.push([
      name === 'proxy' ? proxyOption(values[0]!) : option,
      readValue(values.join(','), option.schema),
    ]);
  }
  return options;
}

function fromJson(text: string, source: string): ReadOptions | Failure {
  const read = readJson(text);
  if (read.problems === null) return jsonOptions(read.value as object, '', source);
  const { pointer } = read.problems[0]!;
  return refused(
    pointer === undefined
      ? `${source} begins as JSON, but is not valid JSON.`
      : twice(source, pointer.slice(1).replaceAll('/', '.')),
  );
}

/** The options in an object, whose members may also be objects: `{"accept": {"status": [200]}}` is `accept.status`. */
function jsonOptions(object: object, prefix: string, source: string): ReadOptions | Failure {
  const options: (readonly [OptionName, unknown])[] = [];
  for (const [member, value] of Object.entries(object)) {
    const name = prefix + member;
    const option = NAMES.get(name);
    if (isObject(value) && (option === undefined || hasMembers(name))) {
      if (!hasMembers(name)) return unknownOption(name, source);
      const inner = jsonOptions(value, `${name}.`, source);
      if (isFailure(inner)) return inner;
      options.push(...inner);
    } else if (option === undefined) return unknownOption(name, source);
    else options.push([name === 'proxy' ? proxyOption(String(value)) : option, value]);
  }
  return options;
}

const hasMembers = (name: string): boolean => {
  for (const known of NAMES.keys()) if (known.startsWith(`${name}.`)) return true;
  return false;
};

/** `proxy=residential` is the type of the proxy, and `proxy=http://…` a proxy of the caller. */
const proxyOption = (value: string): OptionName =>
  (PROXY_TYPES as readonly string[]).includes(value) || !value.includes(':')
    ? NAMES.get('proxy')!
    : NAMES.get('proxy.server')!;

const twice = (source: string, name: string): string =>
  `${source} names the option "${name.slice(0, 100)}" twice.`;

const refused = (message: string): Failure => failure('request.validation', message);

/** The name is quoted, but no value, because it may be a password. */
function unknownOption(name: string, source: string): Failure {
  const similar = nearestName(name, NAMES.keys());
  return refused(
    `${source} has the option "${name.slice(0, 100)}", which the proxy port does not have${similar === null ? '.' : `; did you mean "${similar}"?`}`,
  );
}

/** The JSON types that a schema allows. */
function typesOf({ type, anyOf = [] }: Schema): ReadonlySet<string> {
  return new Set([type ?? [], ...anyOf.map((inner) => [...typesOf(inner)])].flat());
}

/** Reads a text as the schema wants it. What does not fit stays text, which the check of the request refuses by its pointer. */
function readValue(text: string, schema: Schema): unknown {
  const types = typesOf(schema);
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if ((types.has('number') || types.has('integer')) && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if ((types.has('array') || types.has('object')) && /^\s*[[{]/.test(text)) return jsonOrText(text);
  if (!types.has('array')) return text;
  const items = schema.items ?? schema.anyOf?.find(({ items }) => items !== undefined)?.items ?? {};
  return text === '' ? [] : text.split(',').map((item) => readValue(item, items));
}

function jsonOrText(text: string): unknown {
  const read = readJson(text);
  return read.problems === null ? read.value : text;
}

function setMember(members: ScrapeMembers, path: readonly string[], value: unknown): void {
  let object = members;
  for (const name of path.slice(0, -1)) {
    if (!isObject(object[name])) object[name] = {};
    object = object[name] as ScrapeMembers;
  }
  object[path.at(-1)!] = value;
}
