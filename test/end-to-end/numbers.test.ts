import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import type { ScrapeAnswer } from '../helpers/wire-types.ts';

const ID = '1234567890123456789';

describe('numbers that no double holds', () => {
  const site = useSite();
  const service = useService();
  /** @param members JSON text, because `JSON.stringify` would already lose digits */
  const send = async (members: string) => {
    const raw = `{"url":${JSON.stringify(`${site.url}/echo`)},"method":"POST","scraper":"http",${members}}`;
    const reply = await service.api<ScrapeAnswer>('POST', '/api/v1/scrape/', {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(reply.status, 200, reply.text);
    const seen = JSON.parse(reply.body.content!) as { readonly url: string; readonly body: string };
    const { text } = await service.api('GET', `/api/v1/scrape/${reply.body.id}/request/`);
    return { url: seen.url, body: Buffer.from(seen.body, 'base64').toString(), kept: text };
  };

  const rows: readonly [name: string, members: string, body: string][] = [
    ['a whole one', `"data":{"id":${ID},"n":[-${ID},1.50]}`, `{"id":${ID},"n":[-${ID},1.5]}`],
    ['the data itself', `"data":${ID}`, ID],
    ['beyond all doubles', '"data":[1e400,1e21]', '[1e400,1e+21]'],
    ['forced JSON', `"data":{"$json":{"id":${ID}}}`, `{"id":${ID}}`],
    ['a form', `"data":{"$form":{"id":[${ID},7]}}`, `id=${ID}&id=7`],
    [
      'the other members',
      `"data":{"__proto__":{"a":null},"t":"}\\"\\\\","id":${ID}}`,
      `{"__proto__":{"a":null},"t":"}\\"\\\\","id":${ID}}`,
    ],
  ];
  for (const [name, members, body] of rows)
    test(`reach the target as they are written: ${name}`, async () => {
      const { kept, ...seen } = await send(members);
      assert.equal(seen.body, body);
      if (members.includes(ID)) assert.ok(kept.includes(ID), kept);
    });

  test('are sent as they are written in a query too', async () => {
    const { url } = await send(`"query":{"id":${ID},"n":[1,-${ID}],"t":true}`);
    assert.equal(url, `/echo?id=${ID}&n=1&n=-${ID}&t=true`);
  });

  test('are validated as numbers in all other members', async () => {
    const raw = `{"url":"http://127.0.0.1:9/","timeout_ms":${ID},"router":{"max_cost":"${ID}"}}`;
    const { status, body } = await service.api<ScrapeAnswer>('POST', '/api/v1/scrape/', {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(status, 400);
    const pointers = body.errors.map(({ pointer }) => pointer).sort();
    assert.deepEqual(pointers, ['/router/max_cost', '/timeout_ms']);
    assert.match(
      body.errors.find(({ pointer }) => pointer === '/timeout_ms')!.message,
      /between 1000 and 300000/,
    );
  });
});
