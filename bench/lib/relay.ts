/**
 * The bare relay: the least that a scraping service must do (read JSON, fetch, respond with JSON), as a separate process.
 * The difference between it and Sluice is the cost of everything else that Sluice does. Prints its port.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { Agent, request } from 'undici';

const agent = new Agent({ connections: 256, keepAliveTimeout: 60_000 });

async function read(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
  return text;
}

const server = createServer(async (incoming, outgoing) => {
  const { url } = JSON.parse(await read(incoming));
  const page = await request(url, { dispatcher: agent });
  const content = await page.body.text();
  const body = JSON.stringify({ status: page.statusCode, headers: page.headers, content });
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  outgoing.end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as { port: number }).port}`));
process.once('SIGTERM', () => process.exit(0));
