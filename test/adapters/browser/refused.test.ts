import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deadlineOf } from '../../../src/base/time.ts';
import type { CdpSession } from '../../../src/browser/engine/cdp-session.ts';
import { MainFrame } from '../../../src/browser/page/main-frame.ts';
import { failure } from '../../../src/domain/failure.ts';
import type { FetchedPage } from '../../../src/domain/fetch-result.ts';
import type { ConnectionLog, GatewaySession } from '../../../src/egress/gateway/gateway.ts';
import { jobFor, orderFor, pageOf } from '../../contracts/fetch-order.ts';
import { browserScraper } from './kit.ts';
import { rawSite, reply } from './raw-pages.ts';
import { chromiums } from './stage.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

test('a command that the browser refuses ends the attempt with its cause', { skip }, async (t) => {
  await using site = await rawSite({ '/': reply('200 OK', 'Content-Type: text/html', '<p>here') });
  for (const driver of ['cdp', 'playwright'] as const) {
    const scraper = await browserScraper(t, undefined, null, { chooseDriver: () => driver });
    const fetched = await pageOf(scraper, `${site.url}/`, { timeoutMs: 60_000 });
    // No scraper brings such a name of a field.
    const headers = [...fetched.page.headers, ['a\n', 'b'] as const];
    const document = { ...fetched, page: { ...fetched.page, headers } } as FetchedPage;
    using deadline = deadlineOf(60_000);
    const order = { ...orderFor(jobFor(`${site.url}/`), deadline), document };
    const { failure } = await scraper.fetch(order);
    assert.equal(failure?.code, 'http.protocol', driver);
    assert.match(failure.message, /Fetch\.fulfillRequest: Invalid header/);
  }
});

const START = 'http://start.test/';
const FORBIDDEN = 'http://10.0.0.1/';

/** A page whose browser pauses requests as it should, and never tells how they ended: on a busy machine that comes too late. */
async function silentPage() {
  const listeners = new Map<string, (params: object) => void>();
  const session = {
    on: (event: string, listener: (params: object) => void) => listeners.set(event, listener),
    send: async () => ({}),
  };
  const gateway = { tap() {}, connectionTo: () => null, connections: [] };
  const deadline = deadlineOf(60_000);
  const frame = new MainFrame(session as unknown as CdpSession, 'main', orderFor(jobFor(START), deadline), {
    gateway: gateway as unknown as GatewaySession,
    checkTarget: async () => null,
    onResponseHead() {},
    proxy: null,
  });
  await frame.start(true);
  await frame.navigate();
  const paused = (networkId: string, url: string, method: string, more: object = {}) =>
    listeners.get('Fetch.requestPaused')!({
      ...{ requestId: networkId, networkId, frameId: 'main', resourceType: 'Document' },
      ...{ request: { url, method, headers: {} }, ...more },
    });
  return {
    asks: paused,
    answers: (
      networkId: string,
      url: string,
      status: number,
      ...headers: { name: string; value: string }[]
    ) => paused(networkId, url, 'GET', { responseStatusCode: status, responseHeaders: headers }),
    shows: (loaderId: string) => listeners.get('Page.frameNavigated')!({ frame: { id: 'main', loaderId } }),
    refuses: (url: string, code: 'policy.address' | 'connect.refused' = 'policy.address') => {
      const { hostname: host, protocol, port } = new URL(url);
      const cause = failure(code, 'Refused.');
      const refusal = { host, port: Number(port) || (protocol === 'https:' ? 443 : 80), cause };
      frame.connectionRefused(refusal as ConnectionLog);
    },
    /** The code of the failure that ends the scrape; null: it goes on. */
    end: async () => {
      const goesOn = new Promise<null>((resolve) => setImmediate(() => resolve(null)));
      const outcome = await Promise.race([frame.outcome, goesOn]);
      deadline[Symbol.dispose]();
      return outcome !== null && 'failure' in outcome ? outcome.failure.code : outcome;
    },
  };
}

type SilentPage = Awaited<ReturnType<typeof silentPage>>;
const HTML = { name: 'content-type', value: 'text/html' };
const shown = async (page: SilentPage) => {
  page.asks('1', START, 'GET');
  page.answers('1', START, 200, HTML);
  await new Promise(setImmediate);
  page.shows('1');
};

test('a navigation whose address the gateway refuses ends the scrape, whatever the browser tells of it', async () => {
  const rows: readonly (readonly [string, string | null, (page: SilentPage) => unknown])[] = [
    [
      'the first request',
      'policy.address',
      (page) => {
        page.asks('1', FORBIDDEN, 'GET');
        page.refuses(FORBIDDEN);
      },
    ],
    [
      'by TLS',
      'policy.address',
      (page) => {
        page.asks('1', 'https://10.0.0.1/a', 'GET');
        page.refuses('https://10.0.0.1/');
      },
    ],
    ...(['POST', 'GET'] as const).map(
      (method) =>
        [
          `${method} of a shown page`,
          'policy.address',
          async (page: SilentPage) => {
            await shown(page);
            page.asks('2', `${FORBIDDEN}a?b#c`, method);
            page.refuses(FORBIDDEN);
          },
        ] as const,
    ),
    [
      'a redirect',
      'policy.address',
      async (page) => {
        await shown(page);
        page.asks('2', `${START}a`, 'POST');
        page.answers('2', `${START}a`, 307, { name: 'location', value: FORBIDDEN });
        await new Promise(setImmediate);
        page.asks('2', FORBIDDEN, 'POST', { redirectedRequestId: '2' });
        page.refuses(FORBIDDEN);
      },
    ],
    [
      'a picture or a frame of the page',
      null,
      async (page) => {
        await shown(page);
        page.refuses(FORBIDDEN);
      },
    ],
    [
      'another port',
      null,
      async (page) => {
        await shown(page);
        page.asks('2', 'http://10.0.0.1:8080/', 'POST');
        page.refuses(FORBIDDEN);
      },
    ],
    [
      'a failure that the browser may try again',
      null,
      (page) => {
        page.asks('1', START, 'GET');
        page.refuses(START, 'connect.refused');
      },
    ],
    [
      'after the response',
      null,
      (page) => {
        page.asks('1', START, 'GET');
        page.answers('1', START, 200, HTML);
        page.refuses(START);
      },
    ],
  ];
  for (const [name, code, visit] of rows) {
    const page = await silentPage();
    await visit(page);
    assert.equal(await page.end(), code, name);
  }
});
