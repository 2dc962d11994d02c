import assert from 'node:assert/strict';
import { fetchWith, type JobChange, pageOf, urlCheck } from './fetch-order.ts';
import { type AddRule, bodyOf, field, json } from './scraper-rule.ts';

/** Redirects, and what of the caller goes along. */
export function redirectRules(rule: AddRule): void {
  rule('redirects are followed, and told', async (scraper, site) => {
    const fetched = await pageOf(scraper, `${site.url}/redirect/3#top`);
    assert.equal(fetched.page.finalUrl, `${site.url}/redirect/0#top`);
    assert.equal(fetched.redirects.length, 3);
    assert.deepEqual(
      fetched.redirects.map(({ statusCode }) => statusCode),
      [302, 302, 302],
    );
    const posted = await pageOf(scraper, `${site.url}/redirect-to?url=/echo&status=307`, {
      method: 'POST',
      body: bodyOf('kept'),
    });
    assert.equal(Buffer.from(json(posted).body, 'base64').toString(), 'kept');
    const turned = await pageOf(scraper, `${site.url}/redirect-to?url=/echo&status=303`, {
      method: 'POST',
      body: bodyOf('gone'),
    });
    assert.deepEqual([json(turned).method, json(turned).body, turned.page.method], ['GET', '', 'GET']);
    const left = await pageOf(scraper, `${site.url}/redirect/1`, { allowRedirects: false });
    assert.equal(left.page.statusCode, 302);
  });

  rule('redirects that lead nowhere have their codes', async (scraper, site) => {
    const many = await fetchWith(scraper, `${site.url}/redirect/5`, { options: { maxRedirects: 4 } });
    assert.equal(many.failure?.code, 'redirect.too_many');
    for (const url of ['ftp://a.example/', 'javascript:alert(1)', 'http://[']) {
      const led = await fetchWith(scraper, `${site.url}/redirect-to?url=${encodeURIComponent(url)}`);
      assert.equal(led.failure?.code, 'redirect.invalid', url);
    }
  });

  rule('the domain policy is asked for every hop before anything is sent', async (scraper, site) => {
    const asked: string[] = [];
    const allowUrl = urlCheck((url) => {
      asked.push(url.pathname);
      return url.pathname === '/redirect/0' ? { code: 'policy.domain', message: 'no' } : null;
    });
    const fetched = await fetchWith(scraper, `${site.url}/redirect/1`, {}, { allowUrl });
    assert.equal(fetched.failure?.code, 'policy.domain');
    assert.deepEqual(asked, ['/redirect/1', '/redirect/0']);
    assert.deepEqual(
      site.log.map(({ url }) => url),
      ['/redirect/1'],
    );
  });

  rule('credentials and cookies of the caller stay where they belong', async (scraper, site) => {
    const other = site.url.replace('127.0.0.1', 'localhost');
    const cookie = {
      name: 'mine',
      value: '1',
      domain: null,
      path: null,
      secure: false,
      httpOnly: false,
      sameSite: null,
      expires: null,
    };
    const change: JobChange = {
      headers: [
        ['Authorization', 'Bearer x'],
        ['X-Stays', '1'],
      ],
      cookies: [cookie],
    };
    await pageOf(scraper, `${site.url}/redirect-to?url=${encodeURIComponent('/headers')}`, change);
    await pageOf(scraper, `${site.url}/redirect-to?url=${encodeURIComponent(`${other}/headers`)}`, change);
    const [, same, , foreign] = site.log.map(({ headers }) => headers);
    assert.deepEqual(
      [field(same!, 'authorization'), field(same!, 'cookie'), field(same!, 'x-stays')],
      [['Bearer x'], ['mine=1'], ['1']],
    );
    assert.deepEqual(
      [field(foreign!, 'authorization'), field(foreign!, 'cookie'), field(foreign!, 'x-stays')],
      [[], [], ['1']],
    );
  });

  rule('cookies of the target are kept within the fetch and reported', async (scraper, site) => {
    const fetched = await pageOf(scraper, `${site.url}/cookies/set?a=1&b=2`);
    assert.deepEqual(json(fetched).cookie, ['a=1; b=2']);
    assert.deepEqual(
      fetched.page.cookies.map(({ name, value, domain, path, expires }) => [
        name,
        value,
        domain,
        path,
        expires,
      ]),
      [
        ['a', '1', '127.0.0.1', '/', null],
        ['b', '2', '127.0.0.1', '/', null],
      ],
    );
    const next = await pageOf(scraper, `${site.url}/cookies`);
    assert.deepEqual(json(next).cookie, [], 'nothing goes from one fetch to the next');
  });
}
