import { type ExactJsonObject, isObject } from './json.ts';
import { exactNumbers, javaScript, pythonLiteral } from './quoting.ts';
import { SCRAPE, type Snippet, whole } from './snippet.ts';

/** Endpoints with a method of the same name in both clients; others are called by `request`. */
const METHODS: Readonly<Record<string, string>> = {
  '/api/v1/batches/': 'batch',
  '/api/v1/crawls/': 'crawl',
  '/api/v1/maps/': 'map',
};

/** Members of `scraper_options` whose result is in `scraper_data`. */
const IN_DATA = ['formats', 'extract', 'json', 'capture'];

/** What a program prints of a page, as members of the answer: what the request asks for, else the content. */
function resultsOf({ scraper_options: options, screenshot }: ExactJsonObject): readonly string[] {
  const picture = screenshot === true ? ['screenshot_url'] : [];
  if (isObject(options) && IN_DATA.some((name) => Object.hasOwn(options, name)))
    return [...picture, 'scraper_data'];
  if (picture.length > 0) return picture;
  // Without a content there are the results of actions, such as downloads.
  return [isObject(options) && options.return_content === false ? 'scraper_data' : 'content'];
}

/** The request as a module for the TypeScript client. JavaScript would round numbers that are no doubles. */
export function typeScriptProgram(baseUrl: string, request: ExactJsonObject, path = SCRAPE): Snippet {
  const missing = exactNumbers(request);
  if (missing.length > 0) return { code: null, missing };
  const body = javaScript(request);
  const call = METHODS[path] ?? null;
  const lines =
    path === SCRAPE
      ? `const page = await sluice.scrape(${body});
console.log(page.status_code, page.router.outcome, ${resultsOf(request)
          .map((name) => `page.${name}`)
          .join(', ')});`
      : `const answer = await sluice.${call === null ? `request({ method: 'POST', path: ${JSON.stringify(path)}, body: ${body} })` : `${call}(${body})`};
console.log(answer);`;
  return whole(`import { Sluice } from 'sluice-client';

const sluice = new Sluice({
  baseUrl: ${JSON.stringify(baseUrl)},
  apiKey: process.env.SLUICE_KEY!,
});
${lines}
`);
}

/** The request as a program for the Python client. Python has integers of any length, but rounds other numbers. */
export function pythonProgram(baseUrl: string, request: ExactJsonObject, path = SCRAPE): Snippet {
  const missing = exactNumbers(request, (source) => /[.eE]/.test(source));
  if (missing.length > 0) return { code: null, missing };
  const body = pythonLiteral(request);
  const call = METHODS[path] ?? null;
  const lines =
    path === SCRAPE
      ? `page = sluice.scrape(${body})
print(page["status_code"], page["router"]["outcome"], ${resultsOf(request)
          .map((name) => `page["${name}"]`)
          .join(', ')})`
      : `answer = sluice.${call === null ? `request("POST", ${JSON.stringify(path)}, body=${body})` : `${call}(${body})`}
print(answer)`;
  return whole(`import os
from sluice_client import Sluice

sluice = Sluice(
    base_url=${JSON.stringify(baseUrl)},
    api_key=os.environ["SLUICE_KEY"],
)
${lines}
`);
}
