/** Limits the time that matching takes. Only patterns that match everything match longer URLs. */
const MAX_URL_LENGTH = 16_384;

const ANY = -1;
const NO_SLASH = -2;
const SLASH = '/'.charCodeAt(0);

/** A state that leads to both of two states without consuming a character. */
interface Fork {
  fork: [number, number];
}
/**
 * A state of a nondeterministic automaton; its number is its index. One with `char` (a code, `ANY` or `NO_SLASH`) consumes
 * a character and leads to the next state.
 */
type GlobState = { readonly char: number } | Fork;

/** A compiled pattern for URLs. */
export interface UrlGlob {
  /** Takes time in proportion to the length of the pattern times the length of the URL. */
  matches(url: string): boolean;
}

/**
 * Compiles a glob with the syntax of Playwright: `*` is anything but `/`; `**` is anything, and between two slashes also
 * nothing; `{a,b}` is one of these; `\` escapes the next character; every other character, `?` too, is itself. The whole URL
 * has to match. Not a regular expression, which could take minutes for the URL of a hostile page. Throws on an invalid glob.
 */
export function urlGlob(glob: string): UrlGlob {
  const states = compileGlob(withPath(glob));
  if (typeof states === 'string') throw new Error(states);
  return {
    matches: (url) => (url.length > MAX_URL_LENGTH ? /^\*\*+$/.test(glob) : matchesStates(states, url)),
  };
}

/** Why the glob is invalid, for people; null: it is valid. */
export function urlGlobProblem(glob: string): string | null {
  const states = compileGlob(glob);
  return typeof states === 'string' ? states : null;
}

/** Appends `/` to a glob that is only an origin: a URL always has a path. */
const withPath = (glob: string): string =>
  /^(?:http|ws)s?:\/\/[^/{\\]*[^/*{\\]$/i.test(glob) ? `${glob}/` : glob;

/** The states of a glob, or why it is invalid. */
function compileGlob(glob: string): readonly GlobState[] | string {
  const compiler = new GlobCompiler();
  return compiler.compile(glob) ?? compiler.states;
}

class GlobCompiler {
  readonly states: GlobState[] = [];
  /** The open group: the fork at the start of its current alternative, and the forks at the ends of the earlier ones. */
  #group: { start: Fork; readonly ends: Fork[] } | null = null;

  /** @returns why the glob is invalid; null: it is valid */
  compile(glob: string): string | null {
    for (let index = 0; index < glob.length; index++) {
      const char = glob[index]!;
      if (char === '\\' && index + 1 < glob.length) this.#addChar(glob.charCodeAt(++index));
      else if (char === '*') index = this.#addStars(glob, index);
      else if (char === '{') {
        if (this.#group !== null) return 'braces cannot be nested';
        this.#group = { start: this.#addFork(), ends: [] };
      } else if (char === '}') {
        if (this.#group === null) return 'there is a `}` without a `{`';
        // After its last character, each alternative continues behind the group.
        for (const end of this.#group.ends) end.fork = [this.states.length, this.states.length];
        this.#group = null;
      } else if (char === ',' && this.#group !== null) {
        this.#group.ends.push(this.#addFork());
        this.#group.start.fork[1] = this.states.length;
        this.#group.start = this.#addFork();
      } else this.#addChar(glob.charCodeAt(index));
    }
    return this.#group === null ? null : 'there is a `{` without a `}`';
  }

  /**
   * Compiles `*` or `**` (with a slash that belongs to it), which begins at the index `from`.
   * @returns the index of the last character that belongs to it
   */
  #addStars(glob: string, from: number): number {
    let last = from;
    while (glob[last + 1] === '*') last++;
    if (last === from) {
      this.#addAnyNumberOf(NO_SLASH);
      return last;
    }
    if (glob[last + 1] !== '/') {
      this.#addAnyNumberOf(ANY);
      return last;
    }
    // Between two slashes, `**` and the second slash together may also match nothing.
    const skip = glob[from - 1] === '/' ? this.#addFork() : null;
    if (skip !== null) this.#addChar(ANY);
    this.#addAnyNumberOf(ANY);
    this.#addChar(SLASH);
    if (skip !== null) skip.fork[1] = this.states.length;
    return last + 1;
  }

  /** @param code a character code, `ANY` or `NO_SLASH` */
  #addChar(code: number): void {
    this.states.push({ char: code });
  }

  #addAnyNumberOf(code: number): void {
    // The first fork leads to the character or behind the loop; the second one leads back to the first.
    const loop = this.states.length;
    this.states.push({ fork: [loop + 1, loop + 3] }, { char: code }, { fork: [loop, loop] });
  }

  /** A fork to the next state; the caller may point its branches elsewhere. */
  #addFork(): Fork {
    const next = this.states.length + 1;
    const fork: Fork = { fork: [next, next] };
    this.states.push(fork);
    return fork;
  }
}

/** Simulates the automaton: follows all states that are possible at once, one character after the other (Thompson). */
function matchesStates(states: readonly GlobState[], url: string): boolean {
  /** By state: the offset in the URL for which it was reached last. */
  const reachedAt = new Int32Array(states.length + 1).fill(-1);
  let current: number[] = [];
  /** Adds a state to `reached`, or if it is a fork, the states that it leads to. */
  const follow = (reached: number[], first: number, offset: number) => {
    const unvisited = [first];
    for (let index = unvisited.pop(); index !== undefined; index = unvisited.pop()) {
      if (reachedAt[index] === offset) continue;
      reachedAt[index] = offset;
      const state = states[index];
      if (state === undefined || 'char' in state) reached.push(index);
      else unvisited.push(...state.fork);
    }
  };
  const firstState = 0;
  const startOfUrl = 0;
  follow(current, firstState, startOfUrl);
  for (let offset = 0; offset < url.length && current.length > 0; offset++) {
    const code = url.charCodeAt(offset);
    const next: number[] = [];
    for (const index of current) {
      const state = states[index];
      if (state === undefined || !('char' in state)) continue;
      const { char } = state;
      if (char === code || char === ANY || (char === NO_SLASH && code !== SLASH))
        follow(next, index + 1, offset + 1);
    }
    current = next;
  }
  return current.includes(states.length);
}

/**
 * Whether a host is reached without the proxy. A pattern is `*` (all hosts), a host name (that host alone), `.name` or
 * `*.name` (its subdomains), or any of them with `:port`. Letter case does not matter.
 * @param host as in `URL.hostname`
 */
export function bypassesProxy(patterns: readonly string[], host: string, port: number): boolean {
  return patterns.some((pattern) => matchesHostPattern(pattern.toLowerCase(), host.toLowerCase(), port));
}

function matchesHostPattern(pattern: string, host: string, port: number): boolean {
  const [, name = '', wantedPort] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(pattern) ?? [];
  if (wantedPort !== undefined && Number(wantedPort) !== port) return false;
  if (name === '*') return true;
  const suffix = name.startsWith('*.') ? name.slice(1) : name;
  return suffix.startsWith('.') ? host.endsWith(suffix) : host === suffix;
}

/** The port in an http or https URL, or the default port of its scheme. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
