import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf, textOf } from '../../contracts/fetch-order.ts';
import { browserScraper, LOOPBACK } from './kit.ts';
import { chromiums, wrapped } from './stage.ts';
import { type html, startTarget } from './target.ts';

const found = (await chromiums()).find(({ headlessShell }) => headlessShell);
const skip = found === undefined && 'there is no headless shell on this machine';

/** What a page, its frame and its workers are told by scripts. */
const FACTS = `const facts = async () => [navigator.userAgent, navigator.platform,
  navigator.userAgentData && await navigator.userAgentData.getHighEntropyValues(['fullVersionList', 'bitness', 'architecture'])];`;

interface Told {
  readonly brands: readonly { brand: string; version: string }[];
  readonly fullVersionList: readonly { brand: string; version: string }[];
  readonly bitness: string;
  readonly platform: string;
}

for (const driver of ['cdp', 'playwright'] as const)
  test(`a headless browser says what the same version with windows says: driver ${driver}`, {
    skip,
  }, async (t) => {
    const sent: [string, string, string][] = [];
    const route = (answer: Parameters<typeof html>[0], type = 'text/html') =>
      ((request, response) => {
        const { 'user-agent': agent = '', 'sec-ch-ua': hints = '' } = request.headers;
        sent.push([request.url!, agent, String(hints)]);
        response.writeHead(200, { 'content-type': type }).end(answer);
      }) as ReturnType<typeof html>;
    await using target = await startTarget({
      '/': route(`<ul id=u></ul><script>${FACTS}
        const heard = []; const hear = ({ data }) => { heard.push(data); if (heard.length === 5) { u.textContent = JSON.stringify(heard); u.id = 'done' } };
        facts().then((data) => hear({ data: ['page', ...data] })); onmessage = hear; navigator.serviceWorker.onmessage = hear;
        new Worker('/worker.js').onmessage = hear; new SharedWorker('/worker.js').port.onmessage = hear;
        navigator.serviceWorker.register('/worker.js').then(async () => { (await navigator.serviceWorker.ready).active.postMessage('a') });
        const f = document.createElement('iframe'); f.src = location.href.replace('127.0.0.1', 'localhost') + 'frame'; document.body.append(f);</script>`),
      '/frame': route(
        `<script>${FACTS} facts().then((data) => parent.postMessage(['frame', ...data], '*'))</script>`,
      ),
      '/worker.js': route(
        `${FACTS} const tell = async (port) => port.postMessage([self.constructor.name, ...await facts()]);
         if (self.postMessage) tell(self); onconnect = ({ ports: [port] }) => tell(port); onmessage = ({ source }) => source && tell(source)`,
        'text/javascript',
      ),
    });
    using binary = wrapped(found!);
    const scraper = await browserScraper(t, LOOPBACK, null, {
      configured: [{ type: 'chromium', path: binary.path }],
      chooseDriver: () => driver,
    });
    const major = found!.version!.split('.', 1)[0]!;
    const look = async (userAgent: string | null) => {
      sent.length = 0;
      const page = await pageOf(scraper, `${target.url}/`, {
        timeoutMs: 60_000,
        options: { userAgent, waitForSelectorState: 'attached' },
        browser: { waitForSelector: 'css=#done' },
      });
      const told = JSON.parse(/<ul id="done">(.*?)<\/ul>/.exec(textOf(page))![1]!) as [
        string,
        string,
        string,
        Told,
      ][];
      assert.equal(told.length, 5);
      return told;
    };

    const own =
      /^Mozilla\/5\.0 \([^)]+\) AppleWebKit\/537\.36 \(KHTML, like Gecko\) Chrome\/(\d+)\.0\.0\.0 Safari\/537\.36$/;
    for (const [where, agent, platform, hints] of await look(null)) {
      assert.equal(own.exec(agent)?.[1], major, `${where} ${agent}`);
      if (process.platform === 'linux') assert.equal(platform, 'Linux x86_64', where);
      // Chromium takes no hints for shared workers.
      if (where === 'SharedWorkerGlobalScope') continue;
      const brands = hints.brands.filter(({ brand }) => !brand.startsWith('Not'));
      assert.deepEqual(brands, [{ brand: 'Chromium', version: major }], where);
      assert.equal(hints.brands.length, 2, where);
      const full = hints.fullVersionList.find(({ brand }) => brand === 'Chromium');
      assert.equal(full?.version, found!.version, where);
      assert.equal(hints.bitness, '64', where);
    }
    assert.ok(sent.length >= 3);
    for (const [url, agent, hints] of sent) {
      assert.match(agent, own, url);
      assert.doesNotMatch(hints, /Headless/, url);
    }
    const [, , first] = sent.find(([url]) => url === '/')!;
    assert.match(first, new RegExp(`"Chromium";v="${major}"`));

    // The same of an agent that a caller asks for.
    const asked =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
    for (const [where, agent, platform, hints] of await look(asked)) {
      // Nor an agent for these two.
      if (/^(?:Shared|Service)/.test(where)) continue;
      assert.deepEqual([agent, hints.platform], [asked, 'Windows'], where);
      if (where === 'page') assert.equal(platform, 'Win32');
      assert.deepEqual(
        hints.brands,
        [
          { brand: 'Google Chrome', version: '141' },
          { brand: 'Not?A_Brand', version: '8' },
          { brand: 'Chromium', version: '141' },
        ],
        where,
      );
    }
    assert.equal(sent[0]![1], asked);
    for (const [url, , hints] of sent) {
      assert.doesNotMatch(hints, /Headless/, url);
    }
  });
