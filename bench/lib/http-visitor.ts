/**
 * Visits pages by a service, as its caller: a process of its own, as callers are. Usage (JSON):
 * `{"endpoint", "headers", "body": {…without url}, "content": member of the JSON answer, or null: the answer is the page}`
 */
import { Agent, request } from 'undici';
import { serveTurns, takeTurn } from './turns.ts';

interface Service {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  readonly content: string | null;
}

const { endpoint, headers, body, content } = JSON.parse(process.argv[2]!) as Service;
const dispatcher = new Agent({ connections: 64, headersTimeout: 60_000, bodyTimeout: 60_000 });

async function visit(url: string): Promise<string> {
  const answer = await request(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...body, url }),
    dispatcher,
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${text.slice(0, 300)}`);
  return content === null ? text : String((JSON.parse(text) as Record<string, unknown>)[content]);
}

serveTurns((turn) => takeTurn(visit, turn));
