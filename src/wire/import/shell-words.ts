/** Characters of `$'…'` (bash, "ANSI-C Quoting"). */
const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

/** What would run another command, or needs the shell of the caller. */
const SHELL_ONLY: Readonly<Record<string, string>> = {
  '|': 'a pipe',
  '&': 'a second command',
  ';': 'a second command',
  '<': 'a redirection',
  '>': 'a redirection',
  '(': 'a subshell',
  ')': 'a subshell',
  '`': 'a command in back quotes',
};

/**
 * The words of a command line, as a POSIX shell splits it (XCU 2.2, quoting), with `$'…'` of bash, which browsers use when they
 * copy a request as a command. Variables and other commands are not run.
 * @returns the words, or for people what stands there that only a shell can do
 */
export function shellWords(line: string): readonly string[] | { readonly problem: string } {
  const reader = new WordReader(line);
  return reader.read();
}

class WordReader {
  readonly #text: string;
  #at = 0;
  /** null: between two words. */
  #word: string | null = null;
  readonly #words: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): readonly string[] | { readonly problem: string } {
    while (this.#at < this.#text.length) {
      const problem = this.#step(this.#text[this.#at++]!);
      if (problem !== null) return { problem };
    }
    this.#endWord();
    return this.#words;
  }

  #step(char: string): string | null {
    if (/[ \t\n\r]/.test(char)) this.#endWord();
    else if (char === '\\') this.#escaped();
    else if (char === "'") return this.#quoted();
    else if (char === '"') return this.#doubleQuoted();
    else if (char === '$') return this.#dollar();
    else if (char === '#' && this.#word === null) this.#skipComment();
    else if (SHELL_ONLY[char] !== undefined) return `${SHELL_ONLY[char]} (\`${char}\`)`;
    else this.#add(char);
    return null;
  }

  #add(text: string): void {
    this.#word = (this.#word ?? '') + text;
  }

  #endWord(): void {
    if (this.#word !== null) this.#words.push(this.#word);
    this.#word = null;
  }

  #skipComment(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#text.length : end;
  }

  /** A backslash outside of quotes; before the end of a line it continues the line. */
  #escaped(): void {
    const rest = this.#text.slice(this.#at, this.#at + 2);
    if (rest === '\r\n') this.#at += 2;
    else if (rest.startsWith('\n')) this.#at += 1;
    else if (rest !== '') {
      this.#add(rest[0]!);
      this.#at++;
    }
  }

  #quoted(): string | null {
    const end = this.#text.indexOf("'", this.#at);
    if (end === -1) return "a quote (`'`) that does not end";
    this.#add(this.#text.slice(this.#at, end));
    this.#at = end + 1;
    return null;
  }

  #doubleQuoted(): string | null {
    this.#add('');
    for (;;) {
      const char = this.#text[this.#at++];
      if (char === undefined) return 'a quote (`"`) that does not end';
      if (char === '"') return null;
      if (char === '`') return 'a command in back quotes (`` ` ``)';
      if (char === '$' && /[\w({]/.test(this.#text[this.#at] ?? '')) return this.#variable();
      if (char !== '\\') this.#add(char);
      else {
        const next = this.#text[this.#at] ?? '';
        this.#at++;
        if (next === '\n') continue;
        this.#add(/[$`"\\]/.test(next) ? next : `\\${next}`);
      }
    }
  }

  #dollar(): string | null {
    if (this.#text[this.#at] === "'") {
      this.#at++;
      return this.#ansiQuoted();
    }
    if (/[\w({]/.test(this.#text[this.#at] ?? '')) return this.#variable();
    this.#add('$');
    return null;
  }

  #variable(): string {
    const name = /^[({]?\w*/.exec(this.#text.slice(this.#at))![0];
    return `a variable or command of the shell (\`$${name}\`); write its value instead`;
  }

  #ansiQuoted(): string | null {
    this.#add('');
    for (;;) {
      const char = this.#text[this.#at++];
      if (char === undefined) return "a quote (`$'`) that does not end";
      if (char === "'") return null;
      if (char !== '\\') {
        this.#add(char);
        continue;
      }
      const rest = this.#text.slice(this.#at, this.#at + 10);
      const code = /^(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|U([0-9a-f]{1,8})|([0-7]{1,3}))/i.exec(rest);
      const digits = code?.[1] ?? code?.[2] ?? code?.[3];
      const point = digits === undefined ? Number.parseInt(code?.[4] ?? '', 8) : Number.parseInt(digits, 16);
      if (code !== null && point <= 0x10_ff_ff) {
        this.#add(String.fromCodePoint(point));
        this.#at += code[0].length;
      } else {
        const next = rest[0] ?? '';
        this.#add(ESCAPES[next] ?? `\\${next}`);
        this.#at++;
      }
    }
  }
}
