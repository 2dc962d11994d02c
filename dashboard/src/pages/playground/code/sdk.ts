import type { JsonObject } from '../model/json.ts';
import { exactNumbers, javaScript } from './quoting.ts';
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
