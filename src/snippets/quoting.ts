import { ExactNumber, isObject, type Json, type Path, pointerOf } from './json.ts';

/** Quotes any text (without NUL) as one word of a POSIX shell. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Like `shellQuote`, but plain words stay as they are. */
export const shellWord = (text: string): string => (/^[\w./:@%+,-]+$/.test(text) ? text : shellQuote(text));

/** JSON is valid JavaScript, except for `__proto__`, which would set the prototype. */
export function javaScript(value: Json): string {
  return JSON.stringify(value, null, 2).replaceAll(/^( *)"__proto__": /gm, '$1["__proto__"]: ');
}

/** Strings of JSON are valid in Python; keywords and layout differ. */
export function pythonLiteral(value: Json, indent = ''): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object' || value instanceof ExactNumber) return JSON.stringify(value);
  const deeper = `${indent}    `;
  const items = isObject(value)
    ? Object.entries(value).map(
        ([name, member]) => `${JSON.stringify(name)}: ${pythonLiteral(member, deeper)}`,
      )
    : (value as readonly Json[]).map((item) => pythonLiteral(item, deeper));
  const [open, close] = isObject(value) ? '{}' : '[]';
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${items.map((item) => `${deeper}${item},\n`).join('')}${indent}${close}`;
}

/** Pointers to the numbers that doubles cannot represent, and for which `isMeant` holds. */
export function exactNumbers(
  value: Json,
  isMeant: (source: string) => boolean = () => true,
  path: Path = [],
): readonly string[] {
  if (value instanceof ExactNumber) return isMeant(value.source) ? [pointerOf(path)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    exactNumbers(member as Json, isMeant, [...path, name]),
  );
}
