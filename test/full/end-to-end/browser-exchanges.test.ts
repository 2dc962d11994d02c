import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { done, results } from '../../end-to-end/acting.ts';
import { useService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

interface Exchange {
  readonly url: string;
  readonly method: string;
  readonly status: number | null;
  readonly body: string | null;
  readonly body_encoding: string | null;
  readonly truncated: boolean;
}

describe('the bodies of captured exchanges', { skip }, () => {
  const service = useService();
  let target: Target;
  before(async () => {
    const gives =
      (type: string, body: Buffer | string) =>
      (_: unknown, response: ServerResponse): void =>
        void response.writeHead(200, { 'content-type': type }).end(body);
    const bare =
      (status: number, fields: Readonly<Record<string, string>> = {}) =>
      (_: unknown, response: ServerResponse): void =>
        void response.writeHead(status, fields).end();
    const fetches = (...calls: string[]) =>
      html(`<p>waits</p><script>
        (async () => {
          ${calls.map((call) => `await fetch(${call}).then((answer) => answer.arrayBuffer()).catch(() => {});`).join('\n')}
          document.querySelector('p').className = 'done';
        })();
      </script>`);
    const ALLOWED = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'x-a',
      'access-control-allow-methods': 'PUT',
    };
    target = await startTarget({
      '/texts': fetches('"/latin1"', '"/utf16"', '"/json"', '"/bytes"'),
      '/latin1': gives('text/plain; charset=iso-8859-1', Buffer.from('caf\xe9', 'latin1')),
      '/utf16': gives('text/plain; charset=utf-16le', Buffer.from('café', 'utf16le')),
      '/json': gives('application/json', '"café"'),
      '/bytes': gives('application/octet-stream', Buffer.from([0, 0xc3, 0xa9])),
      '/preflights': (request, response) =>
        fetches(
          `"http://localhost:${new URL(`http://${request.headers.host}`).port}/other", { method: "PUT", headers: { "x-a": "1" } }`,
        )(request, response),
      '/other': ({ method }, response) =>
        void response
          .writeHead(200, { ...ALLOWED, 'content-type': 'text/plain' })
          .end(method === 'OPTIONS' ? '' : 'put'),
      '/answered-preflights': (request, response) =>
        fetches(
          `"http://localhost:${new URL(`http://${request.headers.host}`).port}/wordy", { method: "PUT", headers: { "x-a": "1" } }`,
        )(request, response),
      '/wordy': ({ method }, response) =>
        void response
          .writeHead(200, { ...ALLOWED, 'content-type': 'text/plain' })
          .end(method === 'OPTIONS' ? 'OK' : 'put'),
      '/bare': fetches('"/204"', '"/304"', '"/205"', '"/zero"', '"/chunked"', '"/head", { method: "HEAD" }'),
      '/204': bare(204),
      '/304': bare(304),
      '/205': bare(205),
      '/zero': bare(200, { 'content-length': '0' }),
      '/chunked': bare(200, { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' }),
      '/head': bare(200, { 'content-type': 'text/plain', 'content-length': '7' }),
      '/endless': html(
        '<p>waits</p><script>fetch("/never").then(() => { document.querySelector("p").className = "done" })</script>',
      ),
      '/never': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        response.write('so far');
      },
    });
  });
  after(() => target[Symbol.asyncDispose]());

  const captured = async (path: string, url: string, more: object = {}) => {
    const { body } = await service.scrape({
      url: target.url + path,
      scraper: 'browser',
      scraper_options: { capture: [{ url, body: true }] },
      ...more,
    });
    const { network } = body.scraper_data as { network: readonly Exchange[] };
    return { body, network };
  };
  const SETTLED = { wait_for_selector: '.done' };
  const told = ({ method, status, body, truncated }: Exchange) => [method, status, body, truncated];

  test('texts are the same in `capture` and for `wait_for_response`, whatever their charset', async () => {
    const wanted = ['/latin1', '/utf16', '/json', '/bytes'];
    const { network } = await captured('/texts', '**/{latin1,utf16,json,bytes}', SETTLED);
    assert.deepEqual(
      network.map(({ body, body_encoding }) => [body, body_encoding]),
      [
        ['café', 'utf-8'],
        ['café', 'utf-8'],
        ['"café"', 'utf-8'],
        ['AMOp', 'base64'],
      ],
    );
    for (const [at, path] of wanted.entries()) {
      const acted = await done(service, `${target.url}/texts`, [
        { type: 'wait_for_response', url: `**${path}`, capture: true },
      ]);
      const { body, body_encoding } = results(acted)[0] as Exchange;
      assert.deepEqual([body, body_encoding], [network[at]!.body, network[at]!.body_encoding]);
    }
  });

  test('a response without a body has an empty one, and is not truncated', async () => {
    const { network, body } = await captured('/bare', '**/{204,304,205,zero,chunked,head}', SETTLED);
    assert.deepEqual(network.map(told), [
      ['GET', 204, '', false],
      ['GET', 304, '', false],
      ['GET', 205, '', false],
      ['GET', 200, '', false],
      ['GET', 200, '', false],
      ['HEAD', 200, '', false],
    ]);
    assert.deepEqual([body.router.outcome, body.errors], ['ok', []]);
  });

  for (const [path, pattern] of [
    ['/preflights', '**/other'],
    ['/answered-preflights', '**/wordy'],
  ] as const)
    test(`the body of a preflight response is null and not truncated: ${path}`, async () => {
      const { network, body } = await captured(path, pattern, SETTLED);
      assert.deepEqual(network.map(told).sort(), [
        ['OPTIONS', 200, null, false],
        ['PUT', 200, 'put', false],
      ]);
      assert.deepEqual([body.router.outcome, body.errors], ['ok', []]);
    });

  test('a response that is delivered as its bytes has its body', async () => {
    for (const [path, text, encoding] of [
      ['/json', '"café"', 'utf-8'],
      ['/latin1', 'café', 'utf-8'],
      ['/bytes', 'AMOp', 'base64'],
      ['/204', '', 'utf-8'],
    ] as const) {
      const { network, body } = await captured(path, '**');
      assert.deepEqual(
        network.map((one) => [one.body, one.body_encoding, one.truncated]),
        [[text, encoding, false]],
        path,
      );
      assert.deepEqual([body.content, body.errors], [text, []]);
    }
    const { network, body } = await captured('/json', '**', {
      scraper_options: { capture: [{ url: '**', body: true }], max_content_bytes: 3 },
    });
    assert.deepEqual(network.map(told), [['GET', 200, '"ca', true]]);
    assert.equal(body.router.outcome, 'partial');
  });

  test('an incomplete body is reported in the errors', async () => {
    const { network, body } = await captured('/endless', '**/never', SETTLED);
    assert.deepEqual(network.map(told), [['GET', 200, null, true]]);
    assert.deepEqual(
      body.errors.map(({ code, pointer }) => [code, pointer]),
      [['content.truncated', '/scraper_options/capture']],
    );
    assert.equal(body.router.outcome, 'partial');
  });
});
