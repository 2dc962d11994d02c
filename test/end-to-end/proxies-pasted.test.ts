import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ProxyServer, startProxy } from '../helpers/proxy-server.ts';
import { useService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';

const USER = 'kunde-cc-de';
const PASSWORD = 'p:w@ü';

describe('a proxy as lists of proxies have it', () => {
  const site = useSite();
  const service = useService();
  let proxy: ProxyServer;
  before(async () => {
    proxy = await startProxy({ auth: [USER, PASSWORD] });
  });
  after(() => proxy.close());

  const place = () => `127.0.0.1:${proxy.port}`;
  const forms = {
    'user:password@host:port': () => `${USER}:${PASSWORD}@${place()}`,
    'host:port:user:password': () => `${place()}:${USER}:${PASSWORD}`,
    'http://host:port:user:password': () => `http://${place()}:${USER}:${PASSWORD}`,
  };
  const members = { proxy: (text: string) => text, 'proxy.server': (server: string) => ({ server }) };

  for (const scraper of ['http', 'http_impersonate'])
    for (const [form, text] of Object.entries(forms))
      for (const [member, ask] of Object.entries(members))
        test(`${member}: ${form}, ${scraper}`, async () => {
          const from = proxy.users.length;
          const { status, body } = await service.scrape({
            url: `${site.url}/text`,
            scraper,
            proxy: ask(text()),
          });
          assert.deepEqual([status, body.status_code, body.router.proxy_type], [200, 200, 'custom']);
          assert.deepEqual(proxy.users.slice(from), [USER]);
          const { body: request, text: told } = await service.api<{ proxy: unknown }>(
            'GET',
            `/api/v1/scrape/${body.id}/request/`,
          );
          assert.deepEqual(request.proxy, ask(`http://***:***@${place()}/`));
          for (const secret of [USER, PASSWORD]) assert.ok(!told.includes(secret));
        });

  test('with a wrong password, the proxy refuses it', async () => {
    const { body } = await service.scrape({
      url: `${site.url}/text`,
      scraper: 'http',
      proxy: `${place()}:${USER}:x`,
    });
    assert.equal(body.code, 'proxy.failed');
  });
});
