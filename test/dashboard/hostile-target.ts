import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from '../helpers/free-port.ts';

/** A page of the target. */
export interface HostilePage {
  readonly html: string;
  /** Sent as headers and as cookies. */
  readonly texts: readonly string[];
  /** Value of `Location`, with a 302 instead of the page. */
  readonly location?: string;
}

export interface HostileTarget extends AsyncDisposable {
  readonly url: string;
  /** Adds a page. @returns its URL */
  add(page: HostilePage): string;
  /** Requested paths that are no pages: a script ran, or a sub-resource was loaded. */
  readonly strayRequests: string[];
}

/** A site that sends cross-site scripting payloads in bodies, headers, cookies and redirects. */
export async function startHostileTarget(): Promise<HostileTarget> {
  const pages: HostilePage[] = [];
  const strayRequests: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://target').pathname;
    const page = pages[Number(/^\/page\/(\d+)/.exec(path)?.[1] ?? -1)];
    if (page === undefined) {
      strayRequests.push(request.url!);
      response.writeHead(404).end();
      return;
    }
    const headers = [['content-type', 'text/html; charset=utf-8']];
    for (const [index, text] of page.texts.entries()) {
      headers.push([`x-text-${index}`, headerText(text)]);
      headers.push(['set-cookie', `c${index}=${headerText(text)}; Path=/${headerText(text).slice(0, 20)}`]);
    }
    if (page.location !== undefined) headers.push(['location', headerText(page.location, 8_000)]);
    response.writeHead(page.location === undefined ? 200 : 302, headers.flat()).end(page.html);
  });
  await listen(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    strayRequests,
    add: (page) => `${url}/page/${pages.push(page) - 1}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The text as UTF-8 bytes in a header, without control characters, which HTTP forbids there. */
const headerText = (text: string, maxLength = 400): string =>
  Buffer.from(text.replace(/[\u0000-\u001f\u007f]/g, ' '))
    .toString('latin1')
    .slice(0, maxLength)
    .trim();
