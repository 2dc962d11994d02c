import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { tempFolder } from '../../adapters/temp.ts';
import { listen } from '../../helpers/free-port.ts';
import { useOwnService } from '../../helpers/service.ts';

/** `URL` is the address of the target. Files: `text` (three lines), `bytes` (no UTF-8), `form.json`. */
const COMMANDS = `
curl URL
curl URL/
curl 'URL/path?x=1&y=2'
curl --url URL/a
curl -s -S -L -v -i URL/flags
curl -sSL URL/joined
curl URL/fragment#part
curl 'URL/%41%2f%2F?q=%20+%C3%A4'
curl "URL/it's?x=(1)"
curl -g 'URL/a[1]?x={b}'
curl -X POST URL/empty
curl -XPUT URL/attached
curl --request DELETE URL/x
curl -X PATCH -d '{}' -H 'Content-Type: application/json' URL
curl -X OPTIONS URL
curl -I URL/head
curl --head 'URL/head?x=1'
curl -H 'Accept: text/html' URL
curl -H 'Accept:text/html' -H 'X-One:   two  ' URL
curl -H 'X-Empty;' URL
curl -H 'Accept:' URL
curl -H 'X-Double: a' -H 'X-Double: b' URL
curl -H "X-Quote: it's \\"quoted\\"" URL
curl -H $'X-Tab: a\\tb' URL
curl --header 'Authorization: Bearer abc.def' URL
curl -A 'Mozilla/5.0 (X11)' URL
curl --user-agent 'agent' -H 'User-Agent: other' URL
curl -e http://from.example/ URL
curl --referer 'http://from.example/;auto' URL
curl -u user:pass URL
curl -u 'us er:p:a@ss' URL
curl -u user: URL
curl --user 'ü:ä' URL
curl --basic -u a:b URL
curl --oauth2-bearer token URL
curl -b 'a=1' URL
curl -b 'a=1; b=2' URL
curl --cookie 'a=x=y; b="q"' -b 'c=3' URL
curl -H 'Cookie: a=1; b=2' URL
curl -r 0-99 URL
curl -d 'a=1&b=2' URL
curl -d a=1 -d b=2 URL
curl -da=1 URL
curl --data 'a=1' -X PUT URL
curl -d '' URL
curl -d @text URL
curl --data @text -d more=1 URL
curl --data-ascii 'x y z' URL
curl --data-raw '@text' URL
curl --data-raw 'a=1&b=ä' URL
curl --data-raw $'line\\r\\nline\\n' URL
curl --data-raw '{"a":[1,2,{"b":null}]}' -H 'content-type: application/json' URL
curl --data-raw '{"a":1.0,"b":1e400,"c":12345678901234567890}' -H 'Content-Type: application/json' URL
curl --data-raw 'not json' -H 'Content-Type: application/json' URL
curl --data-raw '<a/>' -H 'Content-Type: text/xml; charset=utf-8' URL
curl --data-raw 'plain' -H 'Content-Type: text/plain' URL
curl --data-raw 'x' -H 'Content-Type:' URL
curl --data-binary @text URL
curl --data-binary @bytes URL
curl --data-binary @bytes -H 'Content-Type: image/x-none' URL
curl --data-binary 'a
b' URL
curl --data-binary a=1 --data-binary @text URL
curl --data-urlencode 'a b&c' URL
curl --data-urlencode '=a b=c' URL
curl --data-urlencode 'name=a b&ä' URL
curl --data-urlencode 'name@text' URL
curl --data-urlencode '@text' URL
curl --data-urlencode 'q=~-._*()!' --data-urlencode 'r=1' URL
curl -d x=1 --data-urlencode 'y=z z' URL
curl --json '{"a":1}' URL
curl --json '{"a":' --json '1}' URL
curl --json @form.json URL
curl --json '{}' -H 'Accept: text/plain' URL
curl --json '{}' -H 'Content-Type: application/ld+json' URL
curl --json '[1]' -X PUT URL
curl -G -d 'a=1' -d 'b=2' URL
curl -G -d 'a=1' 'URL/p?x=0'
curl --get --data-urlencode 'q=a b&c' URL/search
curl -G --data-urlencode 'q=ä' URL/search#x
curl -G -I -d a=1 URL
curl --url-query 'a=b c&ä' --url-query '+raw=%20' URL/q
curl --url-query a=1 -d b=2 'URL?c=3'
curl -F a=1 URL
curl -F a=1 -F 'b=two words' URL
curl -F 'file=@text' URL
curl -F 'file=@text;type=text/csv' URL
curl -F 'file=@text;filename=other.csv' URL
curl -F 'file=@text;type=text/csv;filename="a b.csv"' URL
curl -F 'file=@bytes' -F note=x URL
curl -F 'a=<text' URL
curl -F 'json={"a":1};type=application/json' URL
curl --form-string 'a=@not;type=x' URL
curl -F 'ä=ü' URL
curl -T text URL/put
curl -T bytes URL/put
curl --upload-file text -X POST URL/put
curl --compressed -H 'Accept-Language: de' URL
curl -k -L --max-redirs 3 --connect-timeout 5 -m 20 URL
curl --http1.1 -o /dev/null -w '%{http_code}' URL
curl 'URL/chrome' -H 'accept: */*' -H 'accept-language: en' -H 'sec-fetch-mode: cors' -H 'referer: http://a/' --data-raw $'{"q":"it\\'s \\u00e4"}' --compressed
curl -- URL
curl URL \\
  -H 'A: b' \\
  --data-raw 'x'
curl -X POST -H 'Content-Type: application/x-www-form-urlencoded; charset=UTF-8' -d 'a=%20b' URL
curl -d a=1 -H 'X-After: 1' -b c=d -u e:f -A g -e h URL
`
  .trim()
  .split(/\n(?=curl)/);

interface Received {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/**
 * What curl and Sluice each add by themselves. Of a body without a type, Sluice says what it is; no command here gives one of
 * these types.
 */
const OWN =
  /^(?:host|content-length|connection|accept-encoding|expect): |^user-agent: (?:curl|Sluice)\/|^accept: \*\/\*$|^content-type: (?:text\/plain; charset=utf-8|application\/octet-stream)$/;

async function receivedBy(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  let body = Buffer.concat(chunks).toString('latin1');
  const boundary = /boundary=(\S+)/.exec(request.headers['content-type'] ?? '')?.[1] ?? '';
  if (boundary !== '') body = body.replaceAll(boundary, 'BOUNDARY');
  const headers: string[] = [];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const line = `${request.rawHeaders[at]!.toLowerCase()}: ${request.rawHeaders[at + 1]}`;
    // Both forms are allowed between two cookies.
    const normal = line.startsWith('cookie: ') ? line.replaceAll(/;\s*/g, '; ') : line;
    if (!OWN.test(line)) headers.push(boundary === '' ? normal : normal.replace(boundary, 'BOUNDARY'));
  }
  return { method: request.method!, target: request.url!, headers: headers.toSorted(), body };
}

describe('a curl command as a scrape request', () => {
  const service = useOwnService();
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push(await receivedBy(request));
    response.end('ok');
  });
  let url = '';
  before(async () => {
    await listen(server);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => void server.close());

  test(`${COMMANDS.length} commands reach the target byte for byte as those of curl`, async (t) => {
    const folder = tempFolder(t);
    writeFileSync(join(folder, 'text'), 'one=1\r\ntwo & three\n');
    writeFileSync(join(folder, 'bytes'), Buffer.from([0xff, 0, 10, 13, 0x80, 65]));
    writeFileSync(join(folder, 'form.json'), '{"a": "ä"}\n');
    const files = Object.fromEntries(
      ['text', 'bytes', 'form.json'].map((name) => [
        name,
        readFileSync(join(folder, name)).toString('base64'),
      ]),
    );
    assert.ok(COMMANDS.length >= 100);
    for (const command of COMMANDS) {
      const curl = command.replaceAll('URL', url);
      received.length = 0;
      await promisify(execFile)('bash', ['-c', curl], { cwd: folder });
      const imported = await service.api('POST', '/api/v1/import/', { body: { curl, files } });
      assert.equal(imported.status, 200, `${command}: ${JSON.stringify(imported.body)}`);
      const { request } = imported.body as { request: object };
      const scraped = await service.scrape(request);
      assert.equal(scraped.status, 200, `${command}: ${JSON.stringify(scraped.body)}`);
      assert.equal(received.length, 2);
      assert.deepEqual(received[1], received[0], command);
    }
  });

  test('what has no effect is listed; what cannot be done is told', async () => {
    const importing = (curl: string) => service.api('POST', '/api/v1/import/', { body: { curl } });
    const quiet = await importing(`curl -s -o out -H 'Host: other.example' -H 'Connection: close' ${url}`);
    assert.deepEqual((quiet.body as { ignored: unknown }).ignored, [
      '-s',
      '-o out',
      '-H Host: other.example',
      '-H Connection: close',
    ]);
    const proxied = await importing(`curl -x proxy.example:8080 -U 'me:p@ss' -k -m 2.5 ${url}`);
    assert.deepEqual((proxied.body as { request: unknown }).request, {
      url,
      scraper: 'http',
      allow_redirects: false,
      proxy: 'http://me:p%40ss@proxy.example:8080',
      timeout_ms: 2500,
      scraper_options: { verify_tls: false },
    });
    for (const [curl, words] of [
      ['wget http://a/', 'begin with `curl`'],
      ['curl', 'no URL'],
      ['curl http://a/ http://b/', 'several URLs'],
      ['curl ftp://a/', '`ftp:`'],
      ['curl http://a/[1-9]', 'several URLs'],
      ['curl --cert me.pem https://a/', '--cert'],
      ['curl --digest -u a:b http://a/', '--digest'],
      ['curl -u me http://a/', 'without a password'],
      ['curl -d @missing http://a/', '"missing"'],
      ['curl -b cookies.txt http://a/', 'cookies.txt'],
      ['curl -d a -F b=c http://a/', 'two kinds'],
      ['curl http://a/ | jq .', 'a pipe'],
      ['curl "$SITE"', '$SITE'],
      ['curl -m 9999 http://a/', 'timeout_ms'],
      ['curl -H', 'lacks the value'],
    ] as const) {
      const refused = await importing(curl);
      assert.equal(refused.status, 400, curl);
      const [error] = (refused.body as { errors: { pointer: string; message: string }[] }).errors;
      assert.equal(error!.pointer, '/curl');
      assert.ok(error!.message.includes(words), `${curl}: ${error!.message}`);
    }
  });

  test('the command line prints the same', async (t) => {
    const folder = tempFolder(t);
    const body = join(folder, 'body');
    writeFileSync(body, 'a=1\n');
    const printed = await service.cli(['import', 'curl', '-s', '-d', `@${body}`, 'http://a.example/']);
    assert.equal(printed.code, 0, printed.stderr);
    assert.match(printed.stderr, /has no effect: -s/);
    const request = {
      url: 'http://a.example/',
      scraper: 'http',
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      data: { $raw: 'a=1' },
      allow_redirects: false,
    };
    assert.deepEqual(JSON.parse(printed.stdout), request);
    const piped = await service.cli(['import', '-'], { input: `$ curl -d a=1 \\\n 'http://a.example/'\n` });
    assert.deepEqual(JSON.parse(piped.stdout), request);
    const har = JSON.stringify({
      log: { entries: [{ request: { method: 'GET', url: 'http://b.example/' } }] },
    });
    const archived = await service.cli(['import', '-', '--entry', '0'], { input: har });
    assert.equal((JSON.parse(archived.stdout) as { url: string }).url, 'http://b.example/');
    const empty = await service.cli(['import', '-'], { input: '{}' });
    assert.match(empty.stderr, /- is no HTTP archive/);
    const refused = await service.cli(['import', 'curl', '--cert', 'a', 'http://a.example/']);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /--cert/);
  });

  test('a request of an HTTP archive', async () => {
    const archive = {
      log: {
        entries: [
          {
            request: { method: 'GET', url: `${url}/script` },
            response: { content: { mimeType: 'text/javascript' } },
          },
          {
            request: {
              method: 'POST',
              url: `${url}/page?x=1`,
              headers: [
                { name: ':authority', value: 'a' },
                { name: 'Host', value: 'a' },
                { name: 'X-One', value: 'two' },
                { name: 'Content-Type', value: 'application/x-www-form-urlencoded' },
              ],
              postData: { mimeType: 'application/x-www-form-urlencoded', text: 'a=1&b=%20' },
            },
            response: { content: { mimeType: 'text/html; charset=utf-8' } },
          },
        ],
      },
    };
    for (const har of [archive, JSON.stringify(archive)]) {
      const imported = await service.api('POST', '/api/v1/import/', { body: { har } });
      assert.equal(imported.status, 200, JSON.stringify(imported.body));
      const { request, ignored } = imported.body as { request: object; ignored: unknown };
      assert.deepEqual(ignored, ['Host: a']);
      received.length = 0;
      assert.equal((await service.scrape(request)).status, 200);
      assert.deepEqual(received, [
        {
          method: 'POST',
          target: '/page?x=1',
          headers: ['content-type: application/x-www-form-urlencoded', 'x-one: two'],
          body: 'a=1&b=%20',
        },
      ]);
    }
    const first = await service.api('POST', '/api/v1/import/', { body: { har: archive, entry: 0 } });
    assert.equal((first.body as { request: { url: string } }).request.url, `${url}/script`);
    for (const [body, pointer] of [
      [{}, ''],
      [{ curl: 'curl a', har: {} }, ''],
      [{ har: {} }, '/har'],
      [{ har: '{' }, '/har'],
      [{ har: archive, entry: 2 }, '/har'],
      [{ curl: 'curl -d @a http://a/', files: { a: 'no base64' } }, '/files/a'],
      [{ curl: 'curl a', entry: 0 }, '/entry'],
    ] as const) {
      const refused = await service.api('POST', '/api/v1/import/', { body });
      assert.equal(refused.status, 400);
      assert.equal((refused.body as { errors: { pointer?: string }[] }).errors[0]!.pointer ?? '', pointer);
    }
  });
});
