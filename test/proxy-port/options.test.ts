import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readOptions } from '../../src/proxy-port/options.ts';
import { parseTask } from '../../src/wire/request/parse-task.ts';

/** The members that a text adds; throws if it is refused. */
function members(text: string, before: Record<string, unknown> = {}): object {
  const problem = readOptions(text, before, 'The test');
  if (problem !== null) throw new Error(problem.message);
  return before;
}

describe('the options of the proxy port', () => {
  const same: readonly (readonly [text: string, members: object])[] = [
    ['', {}],
    ['scraper=browser', { scraper: 'browser' }],
    [
      'proxy=residential&country=de&session=a1',
      { proxy: { type: 'residential', country: 'de', session: 'a1' } },
    ],
    [
      'proxy=http%3A%2F%2Fu%3Ap%40proxy.example%3A3128',
      { proxy: { server: 'http://u:p@proxy.example:3128' } },
    ],
    ['accept.status=200', { router: { accept: { status: [200] } } }],
    ['accept.status=200,404', { router: { accept: { status: [200, 404] } } }],
    ['accept.status=200&accept.status=404', { router: { accept: { status: [200, 404] } } }],
    ['router.accept.status=200', { router: { accept: { status: [200] } } }],
    ['accept.contains=200', { router: { accept: { contains: '200' } } }],
    ['timeout_ms=5000&allow_redirects=true', { timeout_ms: 5000, allow_redirects: true }],
    ['http2=false', { scraper_options: { http2: false } }],
    ['http2=auto', { scraper_options: { http2: 'auto' } }],
    ['escalate_proxy=false', { router: { escalate_proxy: false } }],
    ['escalate_proxy=mobile,residential', { router: { escalate_proxy: ['mobile', 'residential'] } }],
    [
      'screenshot=true&screenshot.full_page=true',
      { screenshot: true, scraper_options: { screenshot: { full_page: true } } },
    ],
    ['page_actions=[{"wait":100}]', { page_actions: [{ wait: 100 }] }],
    ['tags={"team":"a"}', { router: { tags: { team: 'a' } } }],
    ['region=New+York', { proxy: { region: 'New York' } }],
    ['{"scraper":"auto","country":"de"}', { scraper: 'auto', proxy: { country: 'de' } }],
    ['{"proxy":"mobile"}', { proxy: { type: 'mobile' } }],
    ['{"proxy":{"type":"mobile","country":"de"}}', { proxy: { type: 'mobile', country: 'de' } }],
    [
      '{"accept":{"status":[200]},"router":{"tags":{"a":"b"}}}',
      { router: { accept: { status: [200] }, tags: { a: 'b' } } },
    ],
    ['{"scraper_options":{"http2":false}}', { scraper_options: { http2: false } }],
    ['{"json":{"schema":{"type":"object"}}}', { scraper_options: { json: { schema: { type: 'object' } } } }],
  ];
  for (const [text, expected] of same)
    test(`read ${text}`, () => {
      assert.deepEqual(members(text), expected);
    });

  test('are members of a valid request', () => {
    const request = members(
      'scraper=auto&proxy=residential&country=de&accept.status=200&max_attempts=2&viewport.width=800',
      {
        url: 'http://example.com/',
      },
    );
    assert.equal(parseTask(request).problems, null);
  });

  test('replace what is there, and keep the rest', () => {
    const before = members('scraper=browser&accept.status=200&country=de');
    assert.deepEqual(members('scraper=http&country=fr', before as Record<string, unknown>), {
      scraper: 'http',
      router: { accept: { status: [200] } },
      proxy: { country: 'fr' },
    });
  });

  const refused: readonly (readonly [text: string, message: RegExp])[] = [
    ['contry=de', /"contry".*did you mean "country"/],
    ['url=http://a/', /"url"/],
    ['cookies=a', /"cookies"/],
    ['dry_run=true', /"dry_run"/],
    ['router.webhook=x', /"router.webhook"/],
    ['extract=x', /"extract"/],
    ['scraper=http&scraper=auto', /twice/],
    ['{"scraper":', /not valid JSON/],
    ['{"headers":{"a":"b"}}', /"headers"/],
    ['{"router":{"dry_run":true}}', /"router.dry_run"/],
    ['{"tags":{"a":"b"},"unknown":1}', /"unknown"/],
    ['__proto__=1', /"__proto__"/],
  ];
  for (const [text, message] of refused)
    test(`refuse ${text}`, () => {
      assert.throws(() => members(text), message);
    });

  test('never repeat a value, which may be a password', () => {
    for (const text of ['proxi=http://user:hidden@proxy.example', '{"proxi":"hidden"}', 'hidde=hidden'])
      assert.throws(
        () => members(text),
        ({ message }: Error) => !message.includes('hidden'),
        text,
      );
  });
});
