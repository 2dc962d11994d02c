import type { JsonObject } from '../model/json.ts';
import { pythonLiteral, shellQuote } from './quoting.ts';

/** The request as a curl command. */
export function curlCommand(baseUrl: string, request: JsonObject): string {
  return [
    `curl -sS ${shellQuote(`${baseUrl}/api/v1/scrape/`)}`,
    `-H "Authorization: Api-Key $SLUICE_KEY"`,
    `-H 'Content-Type: application/json'`,
    `--data-raw ${shellQuote(JSON.stringify(request, null, 2))}`,
  ].join(' \\\n  ');
}

/** Whether doubles can represent all numbers of the request. If not, the program contains the request as a string. */
function hasPortableNumbers(request: JsonObject): boolean {
  const text = JSON.stringify(request);
  return JSON.stringify(JSON.parse(text)) === text;
}

/** The request as a program for Python 3 with the library requests. */
export function pythonRequestsProgram(baseUrl: string, request: JsonObject): string {
  const isPortable = hasPortableNumbers(request);
  // A JSON string is a valid literal in Python.
  const body = isPortable
    ? `json=${indented(pythonLiteral(request), 4)}`
    : `data=${JSON.stringify(JSON.stringify(request))}.encode()`;
  return `import os
import requests

response = requests.post(
    ${JSON.stringify(`${baseUrl}/api/v1/scrape/`)},
    headers={${isPortable ? '' : '"Content-Type": "application/json", '}"Authorization": f"Api-Key {os.environ['SLUICE_KEY']}"},
    ${body},
)
page = response.json()
print(response.status_code, page.get("router", {}).get("outcome"), page.get("content"))
`;
}

/** Indents all lines except the first. No string literal spans several lines here. */
const indented = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);
