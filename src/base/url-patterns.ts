/** Longer URLs match nothing but what matches all: nobody writes a pattern for them. */
const LONGEST_URL = 16_384;

const ANY = -1;
const NO_SLASH = -2;

interface Fork {
  fork: [number, number];
}
/** One step: a character (or `ANY`, `NO_SLASH`) that leads to the next step; or a fork, which takes none. */
type GlobStep = { readonly char: number } | Fork;

/** A pattern of URLs, made ready. */
export interface UrlGlob {
  /** Takes time in proportion to the lengths of pattern and URL, whatever they are. */
  matches(url: string): boolean;
}

/**
 * Globs as Playwright has them: `*` is anything but `/`, `**` anything, between two `/` also nothing at all, `{a,b}` one of
 * these, `\` takes the next character as it is; all else, `?` too, is itself. The whole URL has to match. (A regular
 * expression made of one can take minutes for a URL that a hostile page has chosen.) Throws on what is no pattern.
 */
export function urlGlob(glob: string): UrlGlob {
  const steps = compile(withPath(glob));
  if (typeof steps === 'string') throw new Error(steps);
  return { matches: (url) => (url.length > LONGEST_URL ? /^\*\*+$/.test(glob) : matchSteps(steps, url)) };
}

/** Why it is no pattern, for people; null: it is one. */
export function urlGlobProblem(glob: string): string | null {
  const steps = compile(glob);
  return typeof steps === 'string' ? steps : null;
}

/** A URL always has a path. */
const withPath = (glob: string): string =>
  /^(?:http|ws)s?:\/\/[^/{\\]*[^/*{\\]$/i.test(glob) ? `${glob}/` : glob;

function compile(glob: string): GlobStep[] | string {
  const steps: GlobStep[] = [];
  const char = (code: number) => void steps.push({ char: code });
  const many = (code: number) => {
    const at = steps.length;
    steps.push({ fork: [at + 1, at + 3] }, { char: code }, { fork: [at, at] });
  };
  /** Of the group that is open: the fork at its beginning, and the ends of its alternatives. */
  let group: { fork: Fork; ends: Fork[] } | null = null;
  const beginAlternative = () => {
    const fork: Fork = { fork: [steps.length + 1, steps.length + 1] };
    steps.push(fork);
    return fork;
  };
  const endAlternative = (ends: Fork[]) => {
    const end: Fork = { fork: [0, 0] };
    steps.push(end);
    ends.push(end);
  };
  for (let n = 0; n < glob.length; n++) {
    const one = glob[n]!;
    if (one === '\\' && n + 1 < glob.length) char(glob.charCodeAt(++n));
    else if (one === '*') {
      const before = glob[n - 1];
      let stars = 1;
      for (; glob[n + 1] === '*'; n++) stars++;
      if (stars === 1) many(NO_SLASH);
      else if (glob[n + 1] !== '/') many(ANY);
      else {
        n++;
        const skip: Fork = { fork: [steps.length + 1, 0] };
        if (before === '/') {
          steps.push(skip);
          char(ANY);
        }
        many(ANY);
        char(SLASH);
        skip.fork[1] = steps.length;
      }
    } else if (one === '{') {
      if (group !== null) return 'braces cannot be nested';
      group = { fork: beginAlternative(), ends: [] };
    } else if (one === '}') {
      if (group === null) return 'there is a `}` without a `{`';
      for (const end of group.ends) end.fork = [steps.length, steps.length];
      group = null;
    } else if (one === ',' && group !== null) {
      endAlternative(group.ends);
      group.fork.fork[1] = steps.length;
      group.fork = beginAlternative();
    } else char(glob.charCodeAt(n));
  }
  return group === null ? steps : 'there is a `{` without a `}`';
}

const SLASH = '/'.charCodeAt(0);

/** All places where one could be in the pattern, from character to character (Thompson). */
function matchSteps(steps: readonly GlobStep[], url: string): boolean {
  const seen = new Int32Array(steps.length + 1).fill(-1);
  let here: number[] = [];
  const add = (to: number[], first: number, at: number) => {
    const open = [first];
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      if (seen[step] === at) continue;
      seen[step] = at;
      const what = steps[step];
      if (what === undefined || 'char' in what) to.push(step);
      else open.push(...what.fork);
    }
  };
  add(here, 0, 0);
  for (let at = 0; at < url.length && here.length > 0; at++) {
    const code = url.charCodeAt(at);
    const next: number[] = [];
    for (const step of here) {
      const what = steps[step];
      if (what === undefined || !('char' in what)) continue;
      const { char } = what;
      if (char === code || char === ANY || (char === NO_SLASH && code !== SLASH)) add(next, step + 1, at + 1);
    }
    here = next;
  }
  return here.includes(steps.length);
}

/**
 * Whether a host is to be reached without the proxy. A pattern is `*` (all), a host name (that host alone), `.name` or
 * `*.name` (what lies under it), or any of them with `:port`. Capitals do not matter.
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

/** The port that requests to a URL go to: that of its scheme, http or https, where it names none. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
