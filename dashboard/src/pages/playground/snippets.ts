import { ExactNumber } from '../../api/exact-json.ts';
import { isObject, type Json, type JsonObject } from './model/json.ts';

/** Quotes any text (without NUL) as one word of a POSIX shell. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request as a curl command. The key is read from the environment. */
export function curlCommand(url: string, request: JsonObject): string {
  return [
    `curl -sS ${shellQuote(url)}`,
    `-H "Authorization: Api-Key $SLUICE_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `--data-raw ${shellQuote(JSON.stringify(request, null, 2))}`,
  ].join(' \\\n  ');
}

/** The request as a module for Node 18 or newer. */
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

/** Whether doubles can represent all numbers of the request. If not, the snippet contains the request as a string. */
function hasPortableNumbers(request: JsonObject): boolean {
  const text = JSON.stringify(request);
  return JSON.stringify(JSON.parse(text)) === text;
}

/** The request as a string literal, which is valid in JavaScript and Python. */
const literal = (request: JsonObject): string => JSON.stringify(JSON.stringify(request));

/** JSON is valid JavaScript, except for `__proto__`, which would set the prototype. */
function javaScript(value: Json): string {
  return JSON.stringify(value, null, 2).replaceAll(/^( *)"__proto__": /gm, '$1["__proto__"]: ');
}

/** The request as a program for Python 3 with the library requests. */
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

/** Indents all lines except the first. No string literal spans several lines here. */
const indented = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);
