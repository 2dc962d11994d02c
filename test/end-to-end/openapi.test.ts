import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openApi } from '../helpers/openapi.ts';
import { useService } from '../helpers/service.ts';

/** The closed list of contract §10, copied by hand. */
const CODES =
  `idempotency.conflict idempotency.unknown idempotency.mismatch settings.file job.state channel.in_use job.interrupted job.cost_cap target.status skip.robots skip.scope skip.excluded skip.depth skip.duplicate skip.trap skip.limit skip.policy limit.jobs limit.items export.failed limit.monitors limit.datasets limit.schedules limit.alerts limit.channels limit.site request.invalid_json request.validation auth.missing auth.malformed auth.invalid auth.second_factor auth.expired
budget.exhausted auth.scope auth.role auth.ip auth.disabled auth.origin policy.domain policy.address policy.robots request.not_found
request.method request.slow screenshot.expired file.expired record.expired record.no_content request.too_large request.upgrade request.media_type route.none route.cost_cap
scraper.unavailable scraper.unsupported_option browser.unavailable proxy.pool_unconfigured proxy.country_unavailable
proxy.forbidden test.host template.unknown action.refused login.failed profile.unknown profile.site profile.owner profile.logged_out profile.unreadable profile.credentials limit.profiles limit.templates limit.saved_requests limit.streams limit.concurrency limit.sign_in service.internal dns.not_found dns.failed connect.refused connect.timeout
connect.reset connect.unreachable tls.invalid http.protocol redirect.too_many redirect.invalid proxy.failed vendor.failed
target.blocked action.failed browser.crashed service.unavailable service.storage browser.down route.paced
timeout.total timeout.attempt accept.unmet content.truncated content.incomplete content.decode_failed
wait.selector_timeout wait.load_timeout screenshot.failed pdf.failed extract.failed extract.model document.unreadable request.cancelled`.split(
    /\s+/,
  );

describe('the description of the API', () => {
  const service = useService();

  test('the served document equals docs/openapi.json', async () => {
    const { status, headers, body } = await service.api<Record<string, unknown>>(
      'GET',
      '/api/v1/openapi.json',
      { key: null },
    );
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    const { servers: _served, ...served } = body;
    const { servers: _committed, ...committed } = openApi() as unknown as Record<string, unknown>;
    assert.deepEqual(served, committed);
    assert.match(openApi().openapi, /^3\.1\./);
  });

  test('it has every endpoint of this version', () => {
    const paths = Object.keys(openApi().paths).map((path) =>
      path.replace(/\/$/, '').replace(/\{[^}]+\}/g, '{}'),
    );
    for (const path of [
      'scrape',
      'scrape/{}',
      'scrape/{}/request',
      'scrapers',
      'keys',
      'keys/{}',
      'keys/{}/rotate',
      'errors',
      'openapi.json',
    ])
      assert.ok(paths.includes(`/api/v1/${path}`), `no ${path} in ${paths}`);
  });

  for (const path of ['/docs', '/docs/api'])
    test(`${path} loads nothing from other servers`, async () => {
      const page = await fetch(service.base + path);
      assert.equal(page.status, 200);
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
      const html = await page.text();
      const references = [...html.matchAll(/(?:src|href|action|data-url)\s*=\s*["']([^"']+)["']/gi)].map(
        (match) => match[1]!,
      );
      for (const reference of references) {
        const url = new URL(reference, page.url);
        if (url.protocol === 'data:') continue;
        assert.equal(url.origin, service.base, `refers to ${reference}`);
        const answer = await fetch(url);
        assert.equal(answer.status, 200, reference);
        await answer.arrayBuffer();
      }
      assert.ok(references.length > 0 || html.includes('openapi'), 'a page without anything');
      assert.doesNotMatch(html, /https?:\/\/(?:cdn|unpkg|fonts|esm|proxy\.scalar|api\.scalar)\b/i);
      const policy = page.headers.get('content-security-policy') ?? '';
      assert.match(policy, /(?:default|connect)-src[^;]*'self'/, 'nor may what the page loads later');
      assert.doesNotMatch(policy, /https?:/);
    });

  test('the script of /docs is compressed, and has an ETag for revalidation', async () => {
    const url = `${service.base}/docs/js/scalar.js`;
    const read = async (headers: Record<string, string>, method = 'GET') => {
      const answer = await fetch(url, { method, headers });
      return { answer, text: await answer.text(), tag: answer.headers.get('etag') ?? '' };
    };
    const plain = await read({ 'accept-encoding': 'identity' });
    const packed = await read({ 'accept-encoding': 'gzip, br' });
    assert.equal(plain.answer.headers.get('content-encoding'), null);
    assert.equal(Number(plain.answer.headers.get('content-length')), Buffer.byteLength(plain.text));
    assert.equal(packed.answer.headers.get('content-encoding'), 'gzip');
    assert.ok(Number(packed.answer.headers.get('content-length')) < plain.text.length / 3);
    assert.equal(packed.text, plain.text);
    assert.notEqual(packed.tag, plain.tag);
    const again = await read({ 'accept-encoding': 'gzip', 'if-none-match': packed.tag });
    assert.deepEqual([again.answer.status, again.text], [304, '']);
    const head = await read({ 'accept-encoding': 'gzip' }, 'HEAD');
    assert.deepEqual([head.answer.status, head.text, head.tag], [200, '', packed.tag]);
  });

  test('/api/v1/errors/ has every code of the contract and no other', async () => {
    const { status, body } = await service.api<unknown>('GET', '/api/v1/errors/', { key: null });
    assert.equal(status, 200);
    const text = JSON.stringify(body);
    const told = [...text.matchAll(/"code":"([a-z_]+\.[a-z_]+)"/g)].map((match) => match[1]!);
    const warnings = [
      'proxy.direct',
      'vendor.key_masked',
      'vendor.not_told',
      'data.on_get',
      'wait.networkidle_timeout',
      'screenshot.clamped',
      'egress.blocked',
      'egress.remote',
      'content.gzip',
      'charset.replaced',
      'content.gzip',
      'page.js_shell',
      'page.empty',
      'frames.unread',
      'json_ld.unread',
      'page.opened',
      'page.download',
      'content.more',
      'content.refetched',
      'document.no_text',
      'document.hidden',
      'extract.drift',
      'extract.ungrounded',
      'document.truncated',
      'robots.disallowed',
      'profile.conflict',
      'profile.not_saved',
    ];
    assert.deepEqual([...new Set(told)].filter((code) => !warnings.includes(code)).sort(), [...CODES].sort());
  });

  test('/api/v1/scrapers/ lists scrapers, and why those that are unavailable are so', async () => {
    const { body } = await service.api<unknown>('GET', '/api/v1/scrapers/');
    const list = (Array.isArray(body) ? body : (body as { items: unknown[] }).items) as Record<
      string,
      unknown
    >[];
    const names = list.map((scraper) => scraper.name);
    for (const name of ['http', 'http_impersonate', 'browser', 'browser_stealth'])
      assert.ok(names.includes(name), name);
    const text = (name: string) => JSON.stringify(list.find((scraper) => scraper.name === name));
    assert.match(text('http'), /"available":true/);
    assert.match(text('browser_stealth'), /"available":false/);
    assert.match(text('browser_stealth'), /"reason":"[^"]{5,}"/);
  });
});
