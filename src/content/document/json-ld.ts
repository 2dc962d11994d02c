/** A position in a text (line and column are counted from 1), and what is wrong there. */
interface JsonProblem {
  readonly line: number;
  readonly column: number;
  readonly why: string;
}

/**
 * White space, comments, and the wrappers that once hid scripts from old browsers. A comment of HTML only is one if it has no
 * bracket: else it is such a wrapper.
 */
const IGNORED_TEXT = /(?:\s|\/\/[^\n\r]*|\/\*.*?\*\/|<!--[^{}[\]]{0,500}?-->|<!--|-->|<!\[CDATA\[|\]\]>)+/sy;
const STRING_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const SINGLE_QUOTED_TOKEN = /'[^'\\]*(?:\\.[^'\\]*)*'/sy;
const SCALAR_TOKEN = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** Control characters and escapes in a string, some of which JSON does not allow. */
const SPECIAL_IN_STRING = /[\0-\x1f]|\\./gs;
/** The same, and what would end a string of JSON. */
const SPECIAL_IN_SINGLE_QUOTED = /[\0-\x1f"]|\\./gs;
const ESCAPE_CHARACTER = /["\\/bfnrtu]/;

class LenientJsonError extends Error {}

/**
 * Parses JSON as people write it by hand (RFC 8259, and what other readers of JSON-LD tolerate): comments, a comma after the
 * last member, semicolons at the end, single quotes, control characters and needless escapes in strings, CDATA and HTML
 * comments around it, and several objects or lists one after the other.
 * @param maxDepth of nested objects and arrays
 * @returns the values in the order of the text; not empty
 */
export function parseLenientJson(
  text: string,
  maxDepth: number,
): { readonly values: readonly unknown[] } | JsonProblem {
  let index = 0;
  try {
    const values = [parseValue(0)];
    for (;;) {
      while (skip(';') || skip(',')) skipIgnored();
      if (text[index] !== '{' && text[index] !== '[') break;
      values.push(parseValue(0));
    }
    if (index < text.length) throw new LenientJsonError('there is more text after the value');
    return { values };
  } catch (error) {
    if (!(error instanceof LenientJsonError)) throw error;
    const before = text.slice(0, index);
    return { line: before.split('\n').length, column: index - before.lastIndexOf('\n'), why: error.message };
  }

  /** Also skips ignored text before and after the value. */
  function parseValue(depth: number): unknown {
    skipIgnored();
    const value = text[index] === '{' || text[index] === '[' ? parseContainer(depth) : parseScalar();
    skipIgnored();
    return value;
  }

  function parseContainer(depth: number): unknown {
    if (depth === maxDepth) throw new LenientJsonError(`it is nested deeper than ${maxDepth} levels`);
    const isObject = text[index++] === '{';
    const close = isObject ? '}' : ']';
    // Without a prototype `__proto__` is a name like any other.
    const object = Object.create(null) as Record<string, unknown>;
    const list: unknown[] = [];
    for (skipIgnored(); !skip(close); skipIgnored()) {
      if (isObject) {
        const name = parseString();
        skipIgnored();
        if (!skip(':')) throw new LenientJsonError('":" is missing');
        object[name] = parseValue(depth + 1);
      } else list.push(parseValue(depth + 1));
      if (!skip(',') && text[index] !== close) throw new LenientJsonError(`"," or "${close}" is missing`);
    }
    return isObject ? object : list;
  }

  function parseScalar(): unknown {
    if (text[index] === '"' || text[index] === "'") return parseString();
    const token = match(SCALAR_TOKEN);
    if (token === null) throw new LenientJsonError('a value is missing');
    return JSON.parse(token);
  }

  function parseString(): string {
    const start = index;
    const quote = text[index];
    const token = match(quote === "'" ? SINGLE_QUOTED_TOKEN : STRING_TOKEN);
    if (token === null)
      throw new LenientJsonError(
        quote === '"' || quote === "'" ? 'this string is not closed' : 'a string is missing',
      );
    const pattern = quote === "'" ? SPECIAL_IN_SINGLE_QUOTED : SPECIAL_IN_STRING;
    try {
      return JSON.parse(`"${token.slice(1, -1).replaceAll(pattern, escapeInvalid)}"`);
    } catch {
      index = start;
      throw new LenientJsonError('this string has an invalid escape');
    }
  }

  function skipIgnored(): void {
    match(IGNORED_TEXT);
  }

  function skip(char: string): boolean {
    if (text[index] !== char) return false;
    index++;
    return true;
  }

  function match(pattern: RegExp): string | null {
    pattern.lastIndex = index;
    const found = pattern.exec(text)?.[0] ?? null;
    index += found?.length ?? 0;
    return found;
  }
}

/** Escapes a control character or a quote; removes the backslash of an escape that JSON does not know. */
function escapeInvalid(special: string): string {
  if (special === '"') return '\\"';
  if (special.length === 1) return `\\u${special.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const char = special[1]!;
  return ESCAPE_CHARACTER.test(char) ? special : char.replaceAll(SPECIAL_IN_STRING, escapeInvalid);
}

/** Limit of all blocks together. */
const MAX_CHARACTERS = 256 * 1024;
const MAX_BLOCKS = 50;
const MAX_DEPTH = 50;

/** Why a block of JSON-LD was not read. */
export interface UnreadJsonLd extends JsonProblem {
  /** Index among the `script` elements of that type, counted from 1. */
  readonly block: number;
}

/** Collects the JSON-LD of a page, parsed. */
export class JsonLdCollector {
  readonly blocks: unknown[] = [];
  /** Blocks that are not JSON, are nested too deeply, or exceed the limits. */
  readonly unread: UnreadJsonLd[] = [];
  #blockCount = 0;
  #remainingCharacters = MAX_CHARACTERS;

  add(text: string): void {
    this.#blockCount++;
    if (text.trim() === '') return;
    const result = this.#parse(text);
    if ('values' in result) {
      for (const value of result.values.slice(0, MAX_BLOCKS - this.blocks.length)) this.blocks.push(value);
      this.#remainingCharacters -= text.length;
    } else if (this.unread.length < MAX_BLOCKS) this.unread.push({ block: this.#blockCount, ...result });
  }

  #parse(text: string): ReturnType<typeof parseLenientJson> {
    const refused = (why: string) => ({ line: 1, column: 1, why });
    if (this.blocks.length >= MAX_BLOCKS) return refused(`only ${MAX_BLOCKS} blocks are read`);
    if (text.length > this.#remainingCharacters)
      return refused(`only ${MAX_CHARACTERS} characters of all blocks are read`);
    if (depthOf(text) > MAX_DEPTH) return refused(`it is nested deeper than ${MAX_DEPTH} levels`);
    try {
      return { values: [JSON.parse(text)] };
    } catch {
      return parseLenientJson(text, MAX_DEPTH);
    }
  }

  /**
   * The first string in one of these members, in what the page is about: articles, products and their kind, then pages, then
   * other things. Sites, publishers, pictures, comments and reviews do not count. If the member is an object, its `name`; if it
   * only refers to one, the name of that.
   */
  first(...names: readonly string[]): string | null {
    const { things, byId } = this.#things();
    for (const rank of [0, 1, 2])
      for (const name of names)
        for (const thing of things) {
          const text = thing.rank === rank ? textValue(thing.value[name], byId) : null;
          if (text !== null) return text;
        }
    return null;
  }

  /** All objects, outer ones first. What is inside of a thing that does not count is left out. */
  #things(): { readonly things: readonly RankedThing[]; readonly byId: ReadonlyMap<string, JsonObject> } {
    const things: RankedThing[] = [];
    const byId = new Map<string, JsonObject>();
    const queue: { readonly value: unknown; readonly isLeftOut: boolean }[] = this.blocks.map((value) => ({
      value,
      isLeftOut: false,
    }));
    for (let index = 0; index < queue.length && index < MAX_VISITED_VALUES; index++) {
      const { value, isLeftOut } = queue[index]!;
      if (typeof value !== 'object' || value === null) continue;
      if (Array.isArray(value)) {
        for (const member of value.slice(0, MAX_MEMBERS)) queue.push({ value: member, isLeftOut });
        continue;
      }
      const object = value as JsonObject;
      const id = object['@id'];
      if (typeof id === 'string' && object.name !== undefined) byId.set(id, object);
      const rank = isLeftOut ? LEFT_OUT : rankOf(object['@type']);
      if (rank !== LEFT_OUT) things.push({ rank, value: object });
      for (const member of Object.values(object).slice(0, MAX_MEMBERS))
        queue.push({ value: member, isLeftOut: rank === LEFT_OUT });
    }
    return { things, byId };
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

interface RankedThing {
  readonly rank: number;
  readonly value: JsonObject;
}

const LEFT_OUT = 3;
const MAIN_TYPE =
  /(?:Article|Posting|Report|Product|ProductGroup|Recipe|VideoObject|AudioObject|Episode|Movie|Book|Event|Course|Dataset|HowTo|QAPage|Question|SoftwareSourceCode|SoftwareApplication|CreativeWork|ClaimReview|Chapter|Thesis|PublicationIssue)$/;
const PAGE_TYPE = /(?:Page|Blog)$/;
const OTHER_TYPE =
  /^(?:WebSite|Organization|NewsMediaOrganization|Corporation|LocalBusiness|Person|ImageObject|Comment|Review|Answer|BreadcrumbList|ListItem|ItemList|SearchAction|Rating|AggregateRating|Offer|SiteNavigationElement|WPHeader|WPFooter|WPSideBar)$/;

/** What follows the prefix or URL of a vocabulary: `Article` of `schema:Article` and `https://schema.org/Article`. */
export const nameInVocabulary = (name: string): string =>
  name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':'), name.lastIndexOf('#')) + 1);

/** 0 for what a page can be about, 1 for pages, 2 for what has another type or none, `LEFT_OUT` for what is beside it. */
function rankOf(type: unknown): number {
  const types = (Array.isArray(type) ? type.slice(0, 10) : [type])
    .filter((one): one is string => typeof one === 'string')
    .map(nameInVocabulary);
  if (types.some((one) => OTHER_TYPE.test(one))) return LEFT_OUT;
  if (types.some((one) => MAIN_TYPE.test(one))) return 0;
  return types.some((one) => PAGE_TYPE.test(one)) ? 1 : 2;
}

/** Limits of the search in `first`: values in all, and members of one object or list. */
const MAX_VISITED_VALUES = 5000;
const MAX_MEMBERS = 1000;

/** @param byId things with a name, by their `@id` */
function textValue(value: unknown, byId: ReadonlyMap<string, JsonObject>): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  if (Array.isArray(value)) return textValue(value[0], byId);
  if (typeof value !== 'object' || value === null) return null;
  const object = value as JsonObject;
  const id = object['@id'];
  // In expanded JSON-LD a text is `{"@value": …}`.
  const name = object['@value'] ?? object.name ?? (typeof id === 'string' ? byId.get(id)?.name : undefined);
  if (Array.isArray(name)) return textValue(name[0], byId);
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : null;
}

/** Depth of nested brackets; those in strings do not count. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (char === '"') {
      for (index++; index < text.length && text[index] !== '"'; index++) if (text[index] === '\\') index++;
    } else if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth);
    else if (char === '}' || char === ']') depth--;
  }
  return deepest;
}
