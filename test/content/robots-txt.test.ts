import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decideRobots, parseRobotsTxt } from '../../src/content/reading/feed/robots-txt.ts';
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

  it('compares escapes in any letter case, and other characters than ASCII by their escapes', () => {
    assert.ok(!allowed('User-agent: *\nDisallow: /%e3%83%84', '/%E3%83%84'));
    assert.ok(!allowed('User-agent: *\nDisallow: /ツ', new URL('http://a.test/ツ').pathname));
    assert.ok(!allowed('User-agent: *\nDisallow: /a?x=é', '/a?x=%c3%a9'));
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
