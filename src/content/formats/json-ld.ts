/** Text of all blocks that are read. */
const MOST_CHARACTERS = 256 * 1024;
const MOST_BLOCKS = 50;
const DEEPEST = 50;

/** Collects the JSON-LD of a page, parsed; what is no JSON, too deep or beyond the bounds is left out. */
export class JsonLd {
  readonly blocks: unknown[] = [];
  #left = MOST_CHARACTERS;

  add(text: string): void {
    if (text.length > this.#left || this.blocks.length >= MOST_BLOCKS || depthOf(text) > DEEPEST) return;
    try {
      // Some wrap it as scripts were wrapped once.
      this.blocks.push(JSON.parse(text.replace(/^\s*(?:<!--|<!\[CDATA\[)|(?:-->|\]\]>)\s*$/g, '')));
      this.#left -= text.length;
    } catch {}
  }

  /** The first string that stands at one of these names, anywhere in the objects; for an object its `name`. */
  first(name: string): string | null {
    const queue: unknown[] = [...this.blocks];
    for (let at = 0; at < queue.length && at < MOST_LOOKED_AT; at++) {
      const value = queue[at];
      if (typeof value !== 'object' || value === null) continue;
      if (Array.isArray(value)) {
        queue.push(...value.slice(0, 1000));
        continue;
      }
      const text = asText((value as Record<string, unknown>)[name]);
      if (text !== null) return text;
      queue.push(...Object.values(value).slice(0, 1000));
    }
    return null;
  }
}

const MOST_LOOKED_AT = 5000;

function asText(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  if (Array.isArray(value)) return asText(value[0]);
  if (typeof value !== 'object' || value === null) return null;
  const { name } = value as { name?: unknown };
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : null;
}

/** How deep brackets nest, at most; those in strings do not count. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
    } else if (char === '{' || char === '[') most = Math.max(most, ++depth);
    else if (char === '}' || char === ']') depth--;
  }
  return most;
}
