import { type ExactJson, ExactNumber, isObject, type Path, pointerOf } from './json.ts';

/** Quotes any text (without NUL) as one word of a POSIX shell. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Like `shellQuote`, but plain words stay as they are. */
export const shellWord = (text: string): string => (/^[\w./:@%+,-]+$/.test(text) ? text : shellQuote(text));

/** How a language writes what JSON has. */
interface Style {
  readonly name: (name: string) => string;
  readonly word: (value: boolean | null) => string;
  readonly indent: string;
  /** Between the braces of an object in one line and its members. */
  readonly space: string;
  /** After the last item, if the items have lines of their own. */
  readonly end: string;
}

const JSON_STYLE: Style = {
  name: (name) => JSON.stringify(name),
  word: String,
  indent: '  ',
  space: ' ',
  end: '',
};
/** JSON is valid JavaScript, except for `__proto__`, which would set the prototype. */
const JAVASCRIPT: Style = {
  ...JSON_STYLE,
  name: (name) => (name === '__proto__' ? '["__proto__"]' : JSON.stringify(name)),
};
/** Strings of JSON are valid in Python; keywords and layout differ. */
const PYTHON: Style = {
  ...JSON_STYLE,
  word: (value) => (value === null ? 'None' : value ? 'True' : 'False'),
  indent: '    ',
  space: '',
  end: ',',
};

/** Characters of a line; what fits into one is not spread over several. */
const WIDTH = 80;

/** @param taken characters before the value, in its line */
function written(value: ExactJson, style: Style, indent = '', taken = 0): string {
  if (value === null || typeof value === 'boolean') return style.word(value);
  if (typeof value !== 'object' || value instanceof ExactNumber) return JSON.stringify(value);
  const [open, close] = isObject(value) ? '{}' : '[]';
  const items: readonly (readonly [name: string, item: ExactJson])[] = isObject(value)
    ? Object.entries(value).map(([name, member]) => [`${style.name(name)}: `, member])
    : (value as readonly ExactJson[]).map((item) => ['', item]);
  if (items.length === 0) return `${open}${close}`;
  const deeper = indent + style.indent;
  const lines = items.map(([name, item]) => name + written(item, style, deeper, deeper.length + name.length));
  const space = isObject(value) ? style.space : '';
  const line = `${open}${space}${lines.join(', ')}${space}${close}`;
  if (!line.includes('\n') && taken + line.length <= WIDTH) return line;
  return `${open}\n${lines.map((each) => deeper + each).join(',\n')}${style.end}\n${indent}${close}`;
}

export const jsonText = (value: ExactJson): string => written(value, JSON_STYLE);
export const javaScript = (value: ExactJson): string => written(value, JAVASCRIPT);
export const pythonLiteral = (value: ExactJson): string => written(value, PYTHON);

/** Pointers to the numbers that doubles cannot represent, and for which `isMeant` holds. */
export function exactNumbers(
  value: ExactJson,
  isMeant: (source: string) => boolean = () => true,
  path: Path = [],
): readonly string[] {
  if (value instanceof ExactNumber) return isMeant(value.source) ? [pointerOf(path)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    exactNumbers(member as ExactJson, isMeant, [...path, name]),
  );
}
