import type { JsonObject } from '../model/json.ts';
import { exactNumbers, javaScript, pythonLiteral } from './quoting.ts';
import { type Snippet, whole } from './snippet.ts';

/** The request as a module for the TypeScript client. JavaScript would round numbers that are no doubles. */
export function typeScriptProgram(baseUrl: string, request: JsonObject): Snippet {
  const missing = exactNumbers(request);
  if (missing.length > 0) return { code: null, missing };
  return whole(`import { Sluice } from 'sluice-client';

const sluice = new Sluice({
  baseUrl: ${JSON.stringify(baseUrl)},
  apiKey: process.env.SLUICE_KEY!,
});
const page = await sluice.scrape(${javaScript(request)});
console.log(page.status_code, page.router.outcome, page.content);
`);
}

/** The request as a program for the Python client. Python has integers of any length, but rounds other numbers. */
export function pythonProgram(baseUrl: string, request: JsonObject): Snippet {
  const missing = exactNumbers(request, (source) => /[.eE]/.test(source));
  if (missing.length > 0) return { code: null, missing };
  return whole(`import os
from sluice_client import Sluice

sluice = Sluice(
    base_url=${JSON.stringify(baseUrl)},
    api_key=os.environ["SLUICE_KEY"],
)
page = sluice.scrape(${pythonLiteral(request)})
print(page["status_code"], page["router"]["outcome"], page["content"])
`);
}
