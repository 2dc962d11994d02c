import { wholeCharacters } from './text-lines.ts';

const MOST_NAMES = 100;
const MOST_VALUES = 20;
const LONGEST_NAME = 100;
export const LONGEST_VALUE = 2000;

/** Trimmed, on one line, and of bounded length; null: there is nothing. */
export function short(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const one = text
    .slice(0, 4 * LONGEST_VALUE)
    .replace(/\s+/g, ' ')
    .trim();
  return one === '' ? null : wholeCharacters(one, LONGEST_VALUE);
}

/** Values by name, of which a page may give one name several. */
export class NamedValues {
  readonly #values = new Map<string, string[]>();

  add(name: string, value: string | null): void {
    if (value === null || name === '' || name.length > LONGEST_NAME) return;
    const known = this.#values.get(name);
    if (known !== undefined) {
      if (known.length < MOST_VALUES && !known.includes(value)) known.push(value);
    } else if (this.#values.size < MOST_NAMES) this.#values.set(name, [value]);
  }

  first(...names: readonly string[]): string | null {
    for (const name of names) {
      const value = this.#values.get(name)?.[0];
      if (value !== undefined) return value;
    }
    return null;
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** A text for each name, or a list where there are several. */
  object(): Record<string, string | string[]> {
    // Without a prototype `__proto__` is a name like any other.
    const object = Object.create(null) as Record<string, string | string[]>;
    for (const [name, values] of this.#values) object[name] = values.length === 1 ? values[0]! : values;
    return object;
  }
}
