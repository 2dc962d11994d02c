import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProxyAgent, request } from 'undici';
import { chromiums } from '../../adapters/browser/stage.ts';
import { useProxyPort } from '../../helpers/proxy-port.ts';

const port = useProxyPort();

/** A request through the proxy port as a library sends it. */
async function through(path: string, options: string, more: object = {}) {
  const dispatcher = new ProxyAgent({ uri: port.url(options), requestTls: { ca: port.ca } });
  try {
    const headers = { 'user-agent': 'library/1.0', accept: '*/*', 'accept-encoding': 'gzip', 'x-mine': 'a' };
    const answered = await request(port.site.url + path, { headers, ...more, dispatcher });
    return {
      status: answered.statusCode,
      headers: answered.headers,
      bytes: Buffer.from(await answered.body.arrayBuffer()),
    };
  } finally {
    await dispatcher.close();
  }
}

/** The fields that the site got, names in lower case. */
const sentFields = () =>
  new Map(port.site.log.at(-1)!.headers.map(([name, value]) => [name.toLowerCase(), value]));

describe('http_impersonate through the proxy port', () => {
  it('keeps its identity, and sends the other fields and a large body', async () => {
    const body = Buffer.alloc(6_000_000, 'x');
    const { status, headers } = await through('/bytes/10', 'scraper=http_impersonate', {
      method: 'POST',
      body,
    });
    assert.deepEqual([status, headers['sluice-scraper']], [200, 'http_impersonate']);
    assert.match(sentFields().get('user-agent')!, /Mozilla/);
    assert.equal(sentFields().get('x-mine'), 'a');
    assert.equal(port.site.log.at(-1)!.body.length, body.length);
  });
});

describe('auto through the proxy port', () => {
  it('uses no browser for a large body', async () => {
    const body = Buffer.alloc(6_000_000, 'x');
    const options = 'scraper=auto&only=browser';
    const { status, headers } = await through('/bytes/10', options, { method: 'POST', body });
    assert.deepEqual([status, headers['sluice-error']], [422, 'route.none']);
    const other = await through('/bytes/10', 'scraper=auto', { method: 'POST', body });
    assert.equal(other.status, 200);
    assert.notEqual(other.headers['sluice-scraper'], 'browser');
  });
});

describe('a browser through the proxy port', async () => {
  const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

  it('gives its document as UTF-8, and other files as they are', { skip }, async () => {
    const { status, headers, bytes } = await through('/charset/windows-1252', 'scraper=browser');
    assert.deepEqual([status, headers['sluice-scraper']], [200, 'browser']);
    assert.match(String(headers['content-type']), /^text\/html; ?charset=utf-8$/i);
    assert.equal(Number(headers['content-length']), bytes.length);
    assert.ok(bytes.toString().includes('Grüße – naïve “café” €'));
    assert.match(sentFields().get('user-agent')!, /Chrome/);
    assert.ok(!sentFields().get('user-agent')!.includes('library'));
    const image = await through('/image', 'scraper=browser');
    assert.equal(image.headers['content-type'], 'image/png');
    assert.equal(image.bytes.subarray(1, 4).toString(), 'PNG');
  });

  it('sends the agent of the option', { skip }, async () => {
    await through('/json', 'scraper=browser&user_agent=mine/1');
    assert.equal(sentFields().get('user-agent'), 'mine/1');
    await through('/json', 'user_agent=mine/2');
    assert.equal(sentFields().get('user-agent'), 'mine/2');
  });
});
