import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { runChild } from '../../helpers/child.ts';
import type { MadeSite } from '../../helpers/made-site.ts';
import { SLUICE } from '../../helpers/repository.ts';
import { useOwnService } from '../../helpers/service.ts';
import { newOverHttp, newOverStdio, oldOverHttp, stdioEnvironment } from './mcp-clients.ts';
import { startMcpSite } from './mcp-site.ts';

let site: MadeSite;
before(async () => {
  site = await startMcpSite();
});
after(() => site[Symbol.asyncDispose]());

describe('who may call', () => {
  const service = useOwnService({ SLUICE_CORS_ORIGINS: 'https://app.example' });

  const post = (headers: Record<string, string>, method = 'POST') =>
    fetch(`${service.base}/mcp`, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      ...(method === 'POST' ? { body: '{"jsonrpc": "2.0", "id": 1, "method": "ping"}' } : {}),
    });
  const keyed = () => ({ authorization: `Bearer ${service.key}` });

  test('a wrong key gets 401 from both clients', async () => {
    for (const connect of [newOverHttp, oldOverHttp])
      await assert.rejects(connect(service, { key: 'slc_live_wrong' }), /401|[Uu]nauthori[sz]ed/);
    assert.equal((await post({})).status, 401);
    const wrong = await post({ authorization: 'Bearer slc_live_wrong' });
    assert.equal(wrong.status, 401);
    assert.equal(((await wrong.json()) as { code: string }).code, 'auth.invalid');
    assert.equal((await post({ 'x-api-key': service.key })).status, 200);
  });

  test('pages of other origins are refused, those of the service and of SLUICE_CORS_ORIGINS are not', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost:1'])
      for (const connect of [newOverHttp, oldOverHttp])
        await assert.rejects(connect(service, { headers: { origin } }), /403|auth\.origin/);
    const refused = await post({ ...keyed(), origin: 'https://evil.example' });
    assert.equal(refused.status, 403);
    assert.equal(((await refused.json()) as { code: string }).code, 'auth.origin');
    for (const origin of ['https://app.example', service.base])
      assert.equal((await post({ ...keyed(), origin })).status, 200);
    const headers = 'authorization,content-type,mcp-protocol-version,mcp-method,mcp-name';
    const preflight = await fetch(`${service.base}/mcp`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': headers,
      },
    });
    const allowed = preflight.headers.get('access-control-allow-headers')!.toLowerCase();
    for (const header of headers.split(',')) assert.ok(allowed.includes(header), header);
  });

  test('GET and DELETE are 405; there are no sessions to end', async () => {
    for (const method of ['GET', 'DELETE']) {
      const reply = await post(keyed(), method);
      assert.equal(reply.status, 405);
      assert.equal(reply.headers.get('allow'), 'POST');
    }
  });

  test('the tools have the rights of the key, and its single permit is enough', async () => {
    const made = await service.api('POST', '/api/v1/keys/', {
      body: { name: 'reader', scopes: ['scrape'], concurrency: 1 },
    });
    const { key } = made.body as { key: string };
    await using client = await newOverHttp(service, { key });
    const page = await client.call('scrape', { url: `${site.url}/article`, scraper: 'http' });
    assert.equal(page.facts.outcome, 'ok');
    const read = await client.call('read', { scrape_id: page.facts.scrape_id });
    assert.equal(read.isError, true);
    assert.equal(read.facts.error!.code, 'auth.scope');
  });

  test('a page that its request has cut is read whole', async () => {
    const options = { formats: ['markdown'], only_main_content: true, markdown: { max_chars: 400 } };
    const url = `${site.url}/article`;
    const { body } = await service.scrape({ url, scraper: 'http', scraper_options: options });
    await using client = await newOverHttp(service);
    const read = await client.call('read', { scrape_id: body.id, max_chars: 200_000 });
    assert.match(read.page!, /Paragraph 60 of/);
  });

  test('llms.txt', async () => {
    const reply = await fetch(`${service.base}/llms.txt`);
    assert.equal(reply.status, 200);
    assert.match(reply.headers.get('content-type')!, /^text\/plain/);
    const text = await reply.text();
    assert.match(text, /^# Sluice\n/);
    const urls = [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, url]) => url!);
    assert.equal(urls.length, 4);
    for (const url of urls) {
      const { status } = await fetch(url, { headers: keyed() });
      assert.equal(status, url.endsWith('/mcp') ? 405 : 200, url);
    }
  });
});

describe('sluice mcp without SLUICE_URL', () => {
  test('runs the service in its own process', async () => {
    const env = { SLUICE_ALLOW_ADDRESSES: '127.0.0.0/8', SLUICE_DATA_DIR: '/nonexistent/sluice' };
    await using client = await newOverStdio(stdioEnvironment(env));
    const page = await client.call('scrape', { url: `${site.url}/article`, scraper: 'http', max_chars: 200 });
    assert.equal(page.facts.outcome, 'ok');
    const rest = await client.call('read', {
      scrape_id: page.facts.scrape_id,
      content_offset: page.facts.next_offset,
    });
    assert.match(rest.page!, /Paragraph 2 /);
  });

  test('ends with code 0 when its input ends; takes no arguments', async () => {
    const env = { ...stdioEnvironment({}), SLUICE_DATA_DIR: '/nonexistent/sluice' };
    const [ended, wrong] = await Promise.all([
      runChild(SLUICE, ['mcp'], { env, input: '{"jsonrpc": "2.0", "id": 1, "method": "server/discover"}\n' }),
      runChild(SLUICE, ['mcp', 'now'], { env }),
    ]);
    assert.equal(ended.code, 0);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /unexpected argument "now"/);
  });

  test('with a service that is not there, each call is an error result', async () => {
    const env = { SLUICE_URL: 'http://127.0.0.1:1', SLUICE_KEY: 'slc_live_0123456789' };
    await using client = await newOverStdio(stdioEnvironment(env));
    const page = await client.call('scrape', { url: site.url });
    assert.equal(page.isError, true);
    assert.equal(page.facts.error!.code, 'service.unavailable');
    assert.match(JSON.stringify(page.facts), /cannot be reached/);
  });
});
