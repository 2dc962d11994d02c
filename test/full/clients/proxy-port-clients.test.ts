import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ProxyAgent, fetch as undiciFetch } from 'undici';
import { missing, runClient, useProxyPort } from '../../helpers/proxy-port.ts';
import { TEST_KEY } from '../../helpers/service.ts';

const port = useProxyPort();
const PYTHON = '/usr/bin/python3';
const python = (code: string, env: NodeJS.ProcessEnv = {}) => runClient(PYTHON, ['-c', code], env);

/** The pages that every client gets, over http and https. */
const pages = () => [`${port.site.url}/json`, `${port.site.httpsUrl}/json`];

describe('curl through the proxy port', async () => {
  const skip = await missing('curl', '--version');

  it('gets pages with -x, --proxy-user and --cacert', { skip }, async () => {
    for (const url of pages()) {
      const out = await runClient('curl', [
        ...['-sS', '-i', '-x', `http://${port.address}`, '--cacert', port.caFile],
        ...['--proxy-user', `${TEST_KEY}:timeout_ms=20000&tags={"a":"b"}`, url],
      ]);
      assert.match(out, /sluice-outcome: ok/i, url);
      assert.match(out, /"A fixture"/, url);
    }
  });

  it('sends a body and shows the status of refusals', { skip }, async () => {
    const args = ['-sS', '-x', port.url(), '--cacert', port.caFile];
    const echo = await runClient('curl', [...args, '-d', 'a=1', `${port.site.httpsUrl}/echo`]);
    assert.equal(Buffer.from(JSON.parse(echo).body, 'base64').toString(), 'a=1');
    const code = await runClient('curl', [
      ...[
        '-s',
        '-o',
        '/dev/null',
        '-w',
        '%{http_code}',
        '-x',
        `http://${port.address}`,
        `${port.site.url}/json`,
      ],
    ]);
    assert.equal(code, '407');
  });

  it('refuses the certificate without --cacert', { skip }, async () => {
    await assert.rejects(
      runClient('curl', ['-sS', '-x', port.url(), `${port.site.httpsUrl}/json`]),
      /certificate/i,
    );
  });
});

describe('fetch of Node through the proxy port', () => {
  it('gets pages with a ProxyAgent of undici', async () => {
    const dispatcher = new ProxyAgent({ uri: port.url(), requestTls: { ca: port.ca } });
    try {
      for (const url of pages()) {
        const response = await undiciFetch(url, { dispatcher });
        assert.equal(response.headers.get('sluice-outcome'), 'ok');
        assert.equal(((await response.json()) as { title: string }).title, 'A fixture');
      }
    } finally {
      await dispatcher.close();
    }
  });
});

describe('Crawlee through the proxy port', () => {
  it('crawls with a ProxyConfiguration', async () => {
    const code = `
      import { Configuration, HttpCrawler, ProxyConfiguration } from '@crawlee/http';
      const crawler = new HttpCrawler(
        {
          proxyConfiguration: new ProxyConfiguration({ proxyUrls: [process.env.PROXY] }),
          additionalMimeTypes: ['application/json'],
          maxRequestRetries: 0,
          requestHandler: ({ request, response, json }) =>
            console.log('page', response.statusCode, response.headers['sluice-outcome'], json.title, request.url),
        },
        new Configuration({ persistStorage: false }),
      );
      await crawler.run(process.env.URLS.split(' '));`;
    const out = await runClient(process.execPath, ['--input-type=module', '-e', code], {
      PROXY: port.url(),
      URLS: pages().join(' '),
      NODE_EXTRA_CA_CERTS: port.caFile,
    });
    for (const url of pages()) assert.match(out, new RegExp(`page 200 ok A fixture ${url}`));
  });
});

describe('Node with NODE_USE_ENV_PROXY', () => {
  const skip = Number(process.versions.node.split('.')[0]) < 24 && 'only Node 24 and newer have it';

  it('gets pages by fetch and by node:https', { skip }, async () => {
    const code = `
      import { get } from 'node:https';
      for (const url of process.env.URLS.split(' ')) {
        const page = await fetch(url);
        console.log(page.status, page.headers.get('sluice-outcome'));
      }
      get(process.env.URLS.split(' ')[1], (response) => {
        console.log(response.statusCode, response.headers['sluice-outcome']);
        response.resume();
      });
    `;
    const out = await runClient(process.execPath, ['--input-type=module', '-e', code], {
      NODE_USE_ENV_PROXY: '1',
      NODE_EXTRA_CA_CERTS: port.caFile,
      HTTP_PROXY: port.url(),
      HTTPS_PROXY: port.url(),
      URLS: pages().join(' '),
    });
    assert.equal(out, '200 ok\n200 ok\n200 ok\n');
  });
});

describe('requests through the proxy port', async () => {
  const skip = await missing(PYTHON, '-c', 'import requests');

  it('gets pages, keeps cookies, and follows redirects', { skip }, async () => {
    const out = await python(
      `
import os, requests
with requests.Session() as session:
    session.trust_env = False
    proxy = os.environ['PROXY']
    session.proxies = {'http': proxy, 'https': proxy}
    session.verify = os.environ['CA']
    for url in os.environ['URLS'].split():
        response = session.get(url)
        print(response.status_code, response.json()['title'], response.headers['Sluice-Outcome'])
    response = session.get(os.environ['URLS'].split()[0].replace('/json', '/redirect-to?url=/json'))
    print(len(response.history), response.json()['ok'])
    print(session.post(os.environ['URLS'].split()[1].replace('/json', '/echo'), data=b'x' * 100000).status_code)
`,
      { PROXY: port.url('timeout_ms=20000'), CA: port.caFile, URLS: pages().join(' ') },
    );
    assert.equal(out, '200 A fixture ok\n200 A fixture ok\n1 True\n200\n');
  });

  it('gets 407 for a wrong key', { skip }, async () => {
    const out = await python(
      `
import os, requests
session = requests.Session()
session.trust_env = False
print(session.get(os.environ['URL'], proxies={'http': os.environ['PROXY']}).status_code)
`,
      { PROXY: port.url('', 'a-wrong-key-0123456789'), URL: pages()[0] },
    );
    assert.equal(out, '407\n');
  });
});

describe('httpx through the proxy port', async () => {
  const skip = await missing(PYTHON, '-c', 'import httpx');

  it('gets pages', { skip }, async () => {
    const out = await python(
      `
import os, httpx
with httpx.Client(proxies=os.environ['PROXY'], verify=os.environ['CA'], trust_env=False) as client:
    for url in os.environ['URLS'].split():
        response = client.get(url)
        print(response.status_code, response.json()['title'], response.headers['sluice-outcome'])
`,
      { PROXY: port.url(), CA: port.caFile, URLS: pages().join(' ') },
    );
    assert.equal(out, '200 A fixture ok\n200 A fixture ok\n');
  });
});

describe('Scrapy through the proxy port', async () => {
  const skip = await missing(PYTHON, '-c', 'import scrapy');

  it('crawls with its HttpProxyMiddleware', { skip }, async () => {
    const out = await python(
      `
import os, scrapy
from scrapy.crawler import CrawlerProcess

class Spider(scrapy.Spider):
    name = 'spider'
    def start_requests(self):
        for url in os.environ['URLS'].split():
            yield scrapy.Request(url, meta={'proxy': os.environ['PROXY']})
    def parse(self, response):
        print(response.status, response.json()['title'], response.headers['Sluice-Outcome'].decode(), flush=True)

process = CrawlerProcess(settings={'LOG_LEVEL': 'ERROR', 'TELNETCONSOLE_ENABLED': False})
process.crawl(Spider)
process.start()
`,
      { PROXY: port.url(), URLS: pages().join(' ') },
    );
    assert.equal(out, '200 A fixture ok\n200 A fixture ok\n');
  });
});

describe('Chromium through the proxy port', () => {
  const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync);
  const skip = CHROMIUM === undefined && 'there is no Chromium on this machine';

  it('loads http and https pages, and answers to 407 with the key', { skip, timeout: 60_000 }, async () => {
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({
      executablePath: CHROMIUM!,
      // Root has no sandbox. Chromium takes no proxy for loopback by itself.
      args: ['--no-sandbox', '--proxy-bypass-list=<-loopback>'],
      proxy: { server: `http://${port.address}`, username: TEST_KEY, password: 'timeout_ms=20000' },
    });
    try {
      const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
      for (const url of pages()) {
        const response = await page.goto(url.replace('/json', '/'));
        assert.equal(response!.status(), 200, url);
        assert.equal((await response!.allHeaders())['sluice-outcome'], 'ok', url);
        assert.ok((await page.title()).length > 0, url);
      }
    } finally {
      await browser.close();
    }
  });
});
