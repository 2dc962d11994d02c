import type { ExactJsonObject } from './json.ts';
import { jsonText, shellQuote } from './quoting.ts';
import { SCRAPE } from './snippet.ts';

/** The request as a curl command. */
export function curlCommand(baseUrl: string, request: ExactJsonObject, path = SCRAPE): string {
  return [
    `curl -sS ${shellQuote(baseUrl + path)}`,
    `-H "Authorization: Api-Key $SLUICE_KEY"`,
    `-H 'Content-Type: application/json'`,
    `--data-raw ${shellQuote(jsonText(request))}`,
  ].join(' \\\n  ');
}
