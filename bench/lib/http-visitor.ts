/**
 * A client that visits pages through an HTTP service, as a separate process that runs measurements (turns) for its parent.
 * Its argument is JSON:
 * `{"endpoint", "headers", "body": {…without url}, "content"}`; `content` is the member of the JSON response that has the
 * page, or null if the response itself is the page.
 */
import { Agent, request } from 'undici';
import { runTurn, serveTurns } from './turns.ts';

interface Service {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  readonly content: string | null;
}

const { endpoint, headers, body, content } = JSON.parse(process.argv[2]!) as Service;
const dispatcher = new Agent({ connections: 64, headersTimeout: 60_000, bodyTimeout: 60_000 });

async function visit(url: string): Promise<string> {
  const response = await request(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...body, url }),
    dispatcher,
  });
  const text = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${text.slice(0, 300)}`);
  return content === null ? text : String((JSON.parse(text) as Record<string, unknown>)[content]);
}

serveTurns((turn) => runTurn(visit, turn));
