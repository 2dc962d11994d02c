import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crawlDelayMs, decideRobots, parseRobotsTxt } from '../../src/content/reading/feed/robots-txt.ts';
import fc from '../helpers/fast-check.ts';

const allowed = (text: string, path: string, agent = 'Sluice'): boolean =>
  decideRobots(parseRobotsTxt(text), agent, path).allowed;

describe('robots.txt', () => {
  it('names the rule that decided', () => {
    const robots = parseRobotsTxt('User-agent: *\nDisallow: /a\nAllow: /a/b\n');
    assert.deepEqual(decideRobots(robots, 'Sluice', '/a/b/c').rule, { allow: true, pattern: '/a/b' });
    assert.deepEqual(decideRobots(robots, 'Sluice', '/a/c').rule, { allow: false, pattern: '/a' });
    assert.equal(decideRobots(robots, 'Sluice', '/b').rule, null);
  });

  it('accepts every kind of line end, a BOM, and a last line without end', () => {
    for (const end of ['\n', '\r', '\r\n'])
      assert.ok(!allowed(`\uFEFFUser-agent: sluice${end}${end}Disallow: /x${end}Allow: /`, '/x'), end);
  });

  for (const [pattern, stopped, others] of [
    // The examples of RFC 9309 §2.2.2.
    ['/foo/bar?baz=quz', ['/foo/bar?baz=quz'], ['/foo/bar?baz=qu']],
    ['/foo/bar?baz=https://foo.bar', ['/foo/bar?baz=https%3A%2F%2Ffoo.bar', '/foo/bar?baz=https://foo.bar']],
    [
      '/foo/bar?baz=https%3A%2F%2Ffoo.bar',
      ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https:%2f/foo.bar'],
    ],
    ['/foo/bar/ツ', ['/foo/bar/%E3%83%84', '/foo/bar/%e3%83%84'], ['/foo/bar/%E3%83%85']],
    ['/foo/bar/%e3%83%84', ['/foo/bar/%E3%83%84', '/foo/bar/ツ']],
    ['/foo/bar/%62%61%7A', ['/foo/bar/baz', '/foo/bar/%62a%7a'], ['/foo/bar/%62%61%7B']],
    // The examples of §2.2.3.
    ['/path/file-with-a-%2A.html', ['/path/file-with-a-*.html'], ['/path/file-with-a-b.html']],
    ['/path/foo-%24', ['/path/foo-$', '/path/foo-$x'], ['/path/foo-']],
    ['/this/path/exactly$', ['/this/path/exactly'], ['/this/path/exactly/', '/this/path/exactly?a']],
    ['/this/*/exactly', ['/this/a/exactly', '/this/a/b/exactly/c'], ['/this/exactly']],
    ['*.gif$', ['/a.gif', '/a/b%2egif'], ['/a.gif?b']],
    // Unreserved characters are the same with and without escape, whichever side has it.
    ['/%7Ejoe/', ['/~joe/x', '/%7ejoe/x'], ['/joe/']],
    ['/~joe/', ['/%7Ejoe/x', '/~joe/']],
    ['/a%2Db%5Fc%2Ed', ['/a-b_c.d', '/a%2db_c%2Ed']],
    ['/%41', ['/A'], ['/a']],
    // So are reserved ones that separate nothing.
    ['/a:b;c,d@e', ['/a%3Ab%3bc%2Cd%40e', '/a:b;c,d@e']],
    ['/a%3Ab%28c%29', ['/a:b(c)', '/a%3ab(c%29']],
    ['/a=b&c', ['/a%3Db%26c']],
    // Those that separate are not their escapes.
    ['/a/b', ['/a/b'], ['/a%2Fb']],
    ['/a%2fb', ['/a%2Fb', '/a%2fb'], ['/a/b']],
    ['/a?b', ['/a?b'], ['/a%3Fb']],
    ['/a%3Fb', ['/a%3fb'], ['/a?b']],
    ['/a%23b', ['/a%23b']],
    ['/x?a=1&b=2', ['/x?a=1&b=2&c'], ['/x?a=1%26b=2', '/x?a%3D1&b=2']],
    // Within a query a slash is data, also of a pattern that does not say where it is.
    ['/*return=/account', ['/login?return=/account', '/login?return=%2Faccount']],
    ['/*return=%2Faccount', ['/login?return=/account', '/login?return=%2faccount']],
    ['/*?*return=/account', ['/login?a&return=%2Faccount'], ['/return=/account']],
    ['/x?y=what?', ['/x?y=what%3F', '/x?y=what?']],
    // What no URL has unescaped.
    ['/a b', ['/a%20b']],
    ['/a"<>{}|^`', ['/a%22%3C%3E%7B%7D%7C%5E%60', '/a%22%3C%3E{}|^`']],
    ['/100%', ['/100%25', '/100%']],
    ['/é', ['/%C3%A9'], ['/%E9', '/e']],
    ['/a?x=é', ['/a?x=%c3%a9']],
    ['/😀', ['/%F0%9F%98%80']],
    ['/cost$/x', ['/cost$/x', '/cost%24/x'], ['/cost']],
  ] satisfies [string, string[], string[]?][])
    it(`Disallow: ${pattern}`, () => {
      const text = `User-agent: *\nDisallow: ${pattern}`;
      const found = [...stopped, ...(others ?? [])].filter((path) => !allowed(text, path));
      assert.deepEqual(found, stopped);
    });

  it('of rules that mean the same, the one that allows decides, however they are written', () => {
    for (const [disallow, allow] of [
      ['/~joe/', '/%7Ejoe/'],
      ['/%7ejoe/', '/~joe/'],
      ['/a:b', '/a%3Ab'],
      ['/ツ', '/%e3%83%84'],
    ]) {
      for (const rules of [
        `Disallow: ${disallow}\nAllow: ${allow}`,
        `Allow: ${allow}\nDisallow: ${disallow}`,
      ])
        assert.ok(allowed(`User-agent: *\n${rules}`, disallow!), rules);
    }
  });

  it('names the rule as it is written', () => {
    const robots = parseRobotsTxt('User-agent: *\nDisallow: /%7ejoe/*.html$');
    assert.deepEqual(decideRobots(robots, 'Sluice', '/~joe/a.html').rule, {
      allow: false,
      pattern: '/%7ejoe/*.html$',
    });
  });

  it('of several rules the longest decides (RFC 9309 §5.2)', () => {
    const text =
      'User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\nAllow: /*.html$\nDisallow: /a/b';
    const ask = (path: string) => allowed(text, path, 'foobot');
    assert.ok(!ask('/example/page/disallowed.gif'));
    assert.ok(ask('/example/page/disallowed.gi'));
    assert.ok(ask('/a/b.html'));
    assert.ok(!ask('/a/b.htm'));
  });

  it('the simple example of RFC 9309 §5.1', () => {
    const text = `User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
`;
    const paths = ['/', '/x.gif', '/publications/x', '/example/page.html', '/example/allowed.gif'];
    const of = (agent: string) => paths.filter((path) => allowed(text, path, agent));
    assert.deepEqual(of('other'), ['/', '/publications/x']);
    assert.deepEqual(of('foobot'), ['/example/page.html', '/example/allowed.gif']);
    for (const agent of ['barbot', 'BazBot'])
      assert.deepEqual(of(agent), ['/', '/x.gif', '/publications/x', '/example/allowed.gif']);
    assert.deepEqual(of('quxbot'), paths);
  });

  it('reads misspelt words and cuts lines that are too long', () => {
    assert.ok(!allowed('Useragent: *\nDissallow: /x', '/x'));
    const long = `/${'a'.repeat(20_000)}`;
    assert.ok(!allowed(`User-agent: *\nDisallow: ${long}`, long.slice(0, 17_000)));
  });

  it('joins the groups of an agent, wherever they stand', () => {
    const text =
      'User-agent: sluice\nDisallow: /a\nUser-agent: b\nDisallow: /\nUser-agent: Sluice\nDisallow: /c';
    assert.deepEqual(
      ['/a', '/c', '/b'].map((path) => allowed(text, path)),
      [false, false, true],
    );
  });

  for (const record of [
    'Crawl-delay: 10',
    'Sitemap: https://a.test/map.xml',
    'Host: a.test',
    'Clean-param: ref /x',
    'Request-rate: 1/5',
    'Content-Signal: search=yes',
    '# a comment',
    '',
    'no record',
  ])
    it(`the record “${record}” ends no group (RFC 9309 §2.2.4)`, () => {
      const text = `User-agent: a\n${record}\nUser-agent: b\n${record}\nDisallow: /x\n${record}\nDisallow: /y\nUser-agent: c\nDisallow: /z`;
      for (const agent of ['a', 'b'])
        assert.deepEqual(
          ['/x', '/y', '/z'].map((path) => allowed(text, path, agent)),
          [false, false, true],
          agent,
        );
    });

  it('a Crawl-delay is for the agents that it follows', () => {
    const robots = parseRobotsTxt(
      'User-agent: a\nUser-agent: b\nCrawl-delay: 10\nUser-agent: c\nCrawl-delay: 5\nUser-agent: d\nDisallow: /x\nUser-agent: e\nDisallow: /y\nCrawl-delay: 3\nUser-agent: *\nCrawl-delay: 1',
    );
    assert.deepEqual(
      ['a', 'B', 'c', 'd', 'e', 'other'].map((agent) => crawlDelayMs(robots, agent)),
      [10_000, 10_000, 5_000, 0, 3_000, 1_000],
    );
  });

  it('an empty group for an agent allows it all', () => {
    assert.ok(allowed('User-agent: *\nDisallow: /\nUser-agent: Sluice', '/x'));
  });

  it('accepts any bytes as a file', () => {
    const line = fc.oneof(
      fc.string(),
      fc.stringMatching(/^(user-agent|allow|disallow|sitemap): ?[/*$%a-c#]{0,8}$/),
    );
    fc.assert(
      fc.property(fc.array(line), fc.string(), fc.webPath(), (lines, agent, path) => {
        assert.equal(typeof allowed(lines.join('\n'), path, agent), 'boolean');
      }),
    );
  });

  it('matches as a regular expression would', () => {
    const pattern = fc.stringMatching(/^\/[ab*]{0,8}\$?$/);
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^\/[ab]{0,8}$/), (rule, path) => {
        const anchored = rule.endsWith('$');
        const body = (anchored ? rule.slice(0, -1) : rule).replaceAll('*', '.*');
        const fits = new RegExp(`^${body}${anchored ? '$' : ''}`).test(path);
        assert.equal(allowed(`User-agent: *\nDisallow: ${rule}`, path), !fits, `${rule} ${path}`);
      }),
    );
  });

  it('a hostile file and path take no longer than a moment', () => {
    const text = `User-agent: *\n${'Disallow: /*a*a*a*a*a*a*a*a*a*a*b$\n'.repeat(14_000)}`;
    const robots = parseRobotsTxt(text);
    const began = performance.now();
    assert.ok(decideRobots(robots, 'Sluice', `/${'a'.repeat(8_000)}`).allowed);
    // With backtracking it would take years.
    assert.ok(performance.now() - began < 20_000);
  });
});
