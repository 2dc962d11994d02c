import { ExactNumber } from '../../api/exact-json.ts';
import { isObject, type Json, type JsonObject } from './model/json.ts';

/** A text as one word of a POSIX shell, whatever it holds; a NUL cannot be in it. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request as a command; the key comes from the environment, never from the text. */
export function curlCommand(url: string, request: JsonObject): string {
  return [
    `curl -sS ${shellQuote(url)}`,
    `-H "Authorization: Api-Key $SLUICE_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `--data-raw ${shellQuote(JSON.stringify(request, null, 2))}`,
  ].join(' \\\n  ');
}

/** The same as a module for Node 18 or newer. */
export function nodeProgram(url: string, request: JsonObject): string {
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: {
    authorization: \`Api-Key \${process.env.SLUICE_API_KEY}\`,
    'content-type': 'application/json',
  },
  body: ${hasPortableNumbers(request) ? `JSON.stringify(${indented(javaScript(request), 2)})` : literal(request)},
});
const scrape = await response.json();
console.log(response.status, scrape.router?.outcome, scrape.content);
`;
}

/** Whether each number is one in other languages too; else the request goes as the text that it is. */
function hasPortableNumbers(request: JsonObject): boolean {
  const text = JSON.stringify(request);
  return JSON.stringify(JSON.parse(text)) === text;
}

/** The text of the request as a string of JavaScript, which is one of Python too. */
const literal = (request: JsonObject): string => JSON.stringify(JSON.stringify(request));

/** JSON is JavaScript, but for one name, which would set the prototype. */
function javaScript(value: Json): string {
  return JSON.stringify(value, null, 2).replaceAll(/^( *)"__proto__": /gm, '$1["__proto__"]: ');
}

/** The same for Python 3, with the library requests. */
export function pythonProgram(url: string, request: JsonObject): string {
  return `import os
import requests

response = requests.post(
    ${JSON.stringify(url)},
    headers={${hasPortableNumbers(request) ? '' : '"Content-Type": "application/json", '}"Authorization": f"Api-Key {os.environ['SLUICE_API_KEY']}"},
    ${hasPortableNumbers(request) ? `json=${indented(pythonLiteral(request), 4)}` : `data=${literal(request)}.encode()`},
)
scrape = response.json()
print(response.status_code, scrape.get("router", {}).get("outcome"), scrape.get("content"))
`;
}

/** Strings of JSON are strings of Python; words and layout differ. */
export function pythonLiteral(value: Json, indent = ''): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object' || value instanceof ExactNumber) return JSON.stringify(value);
  const deeper = `${indent}    `;
  const items = isObject(value)
    ? Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonLiteral(one, deeper)}`)
    : (value as readonly Json[]).map((one) => pythonLiteral(one, deeper));
  const [open, close] = isObject(value) ? '{}' : '[]';
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${items.map((item) => `${deeper}${item},\n`).join('')}${indent}${close}`;
}

/** All lines but the first further in; no string of JSON or Python literal spans lines here. */
const indented = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);
