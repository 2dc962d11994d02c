import { escapeHtml } from './dashboard-pages.ts';

/** The parts of code that have a color, as patterns; the first that matches at a place wins. */
interface Syntax {
  readonly comment?: RegExp;
  readonly string: RegExp;
  readonly name?: RegExp;
  readonly number?: RegExp;
  readonly keyword?: RegExp;
}

const DOUBLE = /"(?:[^"\\\n]|\\.)*"/;
const SINGLE = /'(?:[^'\\\n]|\\.)*'/;
const NUMBER = /\b\d[\d_]*(?:\.\d+)?\b/;
const HASH = /(?<!\S)#.*/;
const SLASHES = /\/\/.*|\/\*[\s\S]*?\*\//;

const either = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join('|'));
const words = (text: string): RegExp => new RegExp(`(?<![\\w.$])(?:${text.replaceAll(' ', '|')})(?!\\w)`);

const SHELL: Syntax = {
  comment: HASH,
  string: /"(?:[^"\\]|\\[\s\S])*"|'[^']*'/,
  name: /(?<=\s)--?[A-Za-z][\w.-]*|\$\w+|\$\{\w+\}/,
  keyword: words('if then else fi for in do done while export source'),
};
const JSON_SYNTAX: Syntax = {
  string: DOUBLE,
  name: new RegExp(`${DOUBLE.source}(?=\\s*:)`),
  number: /-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/,
  keyword: words('true false null'),
};
const TYPESCRIPT: Syntax = {
  comment: SLASHES,
  string: either(/`(?:[^`\\]|\\[\s\S])*`/, DOUBLE, SINGLE),
  number: NUMBER,
  keyword: words(
    'as async await break case catch class const continue default else export extends false finally for from function if import in interface let new null of readonly return static switch this throw true try type typeof undefined while',
  ),
};
const CONFIGURATION: Syntax = {
  comment: HASH,
  string: either(DOUBLE, SINGLE),
  name: /^[ \t-]*[\w./-]+(?=\s*[:=])/m,
  number: NUMBER,
};

/** By the word after the fence. Code of other languages has no colors. */
const SYNTAXES: Readonly<Record<string, Syntax>> = {
  bash: SHELL,
  sh: SHELL,
  json: JSON_SYNTAX,
  ts: TYPESCRIPT,
  js: TYPESCRIPT,
  python: {
    comment: HASH,
    string: either(/"""[\s\S]*?"""/, DOUBLE, SINGLE),
    number: NUMBER,
    keyword: words(
      'and as assert async await break class continue def elif else except False finally for from if import in is lambda None not or pass raise return True try while with yield',
    ),
  },
  go: {
    comment: SLASHES,
    string: either(/`[^`]*`/, DOUBLE),
    number: NUMBER,
    keyword: words(
      'break case const defer else for func go if import nil package range return switch type var',
    ),
  },
  php: {
    comment: either(SLASHES, HASH),
    string: either(DOUBLE, SINGLE),
    name: /\$\w+/,
    number: NUMBER,
    keyword: words('echo else false for foreach function if new null return throw true use while'),
  },
  ruby: {
    comment: HASH,
    string: either(DOUBLE, SINGLE),
    number: NUMBER,
    keyword: words('class def do else elsif end false for if nil puts require return true unless while'),
  },
  java: {
    comment: SLASHES,
    string: either(/"""[\s\S]*?"""/, DOUBLE),
    number: NUMBER,
    keyword: words(
      'boolean class else false final for if import int new null public return static throws true try void while',
    ),
  },
  sql: {
    comment: /--.*/,
    string: SINGLE,
    number: NUMBER,
    keyword: words(
      'AND AS CREATE DATABASE FROM GRANT GROUP BY INSERT INTO ON ORDER OWNER SELECT TO USER WHERE WITH',
    ),
  },
  yaml: CONFIGURATION,
  ini: CONFIGURATION,
};

/** Code as HTML, with a `span` around each part that has a color; its class is the name of the part. */
export function coloredCode(code: string, language: string): string {
  const syntax = SYNTAXES[language];
  if (syntax === undefined) return escapeHtml(code);
  // Names before strings: those of JSON are both.
  const parts = (['comment', 'name', 'string', 'number', 'keyword'] as const).flatMap((part) =>
    syntax[part] === undefined ? [] : [`(?<${part}>${syntax[part].source})`],
  );
  let html = '';
  let end = 0;
  for (const match of code.matchAll(new RegExp(parts.join('|'), 'gm'))) {
    const [part] = Object.entries(match.groups!).find(([, text]) => text !== undefined)!;
    html += `${escapeHtml(code.slice(end, match.index))}<span class="${part}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(code.slice(end));
}
