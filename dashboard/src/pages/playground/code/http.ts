import type { JsonObject } from '../model/json.ts';
import { shellQuote } from './quoting.ts';

/** The request as a curl command. */
export function curlCommand(baseUrl: string, request: JsonObject): string {
  return [
    `curl -sS ${shellQuote(`${baseUrl}/api/v1/scrape/`)}`,
    `-H "Authorization: Api-Key $SLUICE_KEY"`,
    `-H 'Content-Type: application/json'`,
    `--data-raw ${shellQuote(JSON.stringify(request, null, 2))}`,
  ].join(' \\\n  ');
}
