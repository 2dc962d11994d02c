import type { CompiledMessage } from '@lingui/message-utils/compileMessage';

const compiled = new Map<string, CompiledMessage>();

/**
 * Compiles an English text of the source: `{count, plural, one {# key} other {# keys}} of {name}`. Lingui's own compiler
 * knows more (quoting, formats of numbers and dates), but would add 7 KB (brotli) to the first page. `npm run check` compares the
 * results of both for all texts. Catalogs are compiled when the dashboard is built.
 */
export function compileMessage(message: string): CompiledMessage {
  let tokens = compiled.get(message);
  if (tokens === undefined) {
    tokens = new Parser(message).tokens(false);
    compiled.set(message, tokens);
  }
  return tokens;
}

class Parser {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The tokens up to the end, or to the `}` that closes a case. */
  tokens(inPlural: boolean): Exclude<CompiledMessage, string> {
    const tokens: Exclude<CompiledMessage, string> = [];
    for (;;) {
      const content = this.#take(inPlural ? /[^{}#]*/y : /[^{}]*/y);
      if (content !== '') tokens.push(content);
      const next = this.#text[this.#at];
      if (next === undefined || next === '}') return tokens;
      this.#at++;
      tokens.push(next === '#' ? '#' : this.#argument(inPlural));
    }
  }

  /** The rest of `{name}` or `{name, plural, one {…} other {…}}`. */
  #argument(inPlural: boolean): Exclude<CompiledMessage, string>[number] {
    const name = this.#take(/\w+/y);
    const type = this.#take(/,\s*\w+,\s*/y).replace(/[\s,]/g, '');
    if (type === '') {
      this.#at++;
      return [name];
    }
    const cases: Record<string, CompiledMessage> = {};
    while (this.#text[this.#at] !== '}' && this.#at < this.#text.length) {
      const key = this.#take(/=?\w+\s*/y)
        .trim()
        .replace('=', '');
      this.#at++;
      cases[key] = this.tokens(inPlural || type !== 'select');
      this.#at++;
      this.#take(/\s*/y);
    }
    this.#at++;
    return [name, type, cases] as Exclude<CompiledMessage, string>[number];
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}
