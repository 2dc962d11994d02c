import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the target shows; told by the path of the request. */
export interface HostilePage {
  readonly html: string;
  /** For headers and cookies. */
  readonly texts: readonly string[];
  /** Value of `Location`, with a 302 instead of the page. */
  readonly location?: string;
}

export interface HostileTarget extends AsyncDisposable {
  readonly url: string;
  /** Makes a page, at the address that is given back. */
  add(page: HostilePage): string;
  /** Paths that nobody but a script or a sub-resource of a page asks for. */
  readonly canaries: string[];
}

/** A site that sends texts that try to be scripts, everywhere. */
export async function startHostileTarget(): Promise<HostileTarget> {
  const pages: HostilePage[] = [];
  const canaries: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://target').pathname;
    const page = pages[Number(/^\/page\/(\d+)/.exec(path)?.[1] ?? -1)];
    if (page === undefined) {
      canaries.push(request.url!);
      response.writeHead(404).end();
      return;
    }
    const headers = [['content-type', 'text/html; charset=utf-8']];
    for (const [at, text] of page.texts.entries()) {
      headers.push([`x-text-${at}`, headerText(text)]);
      headers.push(['set-cookie', `c${at}=${headerText(text)}; Path=/${headerText(text).slice(0, 20)}`]);
    }
    if (page.location !== undefined) headers.push(['location', headerText(page.location, 8_000)]);
    response.writeHead(page.location === undefined ? 200 : 302, headers.flat()).end(page.html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    canaries,
    add: (page) => `${url}/page/${pages.push(page) - 1}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** As UTF-8 in a header, without what no header may hold. */
const headerText = (text: string, most = 400): string =>
  Buffer.from(text.replace(/[\u0000-\u001f\u007f]/g, ' '))
    .toString('latin1')
    .slice(0, most)
    .trim();
