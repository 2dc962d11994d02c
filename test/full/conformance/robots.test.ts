import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { decideRobots, parseRobotsTxt } from '../../../src/content/reading/feed/robots-txt.ts';
import { googleRobotsCases } from '../../conformance/google-robots-cases.ts';

const folder = process.env.CONFORMANCE_DATA;

/** What that matcher does beyond RFC 9309, and we do not. */
const NOT_OURS: ReadonlySet<string> = new Set(['GoogleOnly_IndexHTMLisDirectory']);

/**
 * That matcher takes the URL as it is written, while RFC 9309 §2.2.2 compares both sides in one form: what these cases say does
 * not match then does, and the table of the RFC has the same URLs.
 */
const SAME_BY_RFC = 'ID_Encoding';

/** Path and query of a URL that is taken as it is written. */
function pathOf(url: string): string {
  const path = /^[a-z]+:\/\/[^/?#]*([^#]*)/.exec(url)?.[1] ?? '';
  return path.startsWith('/') ? path : `/${path}`;
}

test("Google's cases of robots.txt", {
  skip: folder === undefined ? 'CONFORMANCE_DATA is not set' : false,
}, (t) => {
  const source = readFileSync(join(folder!, 'robots', 'google-robots_test.cc'), 'utf8');
  const cases = googleRobotsCases(source).filter((one) => !NOT_OURS.has(one.test));
  const wrong = cases.filter(
    ({ robots, agent, url, allowed }) =>
      decideRobots(parseRobotsTxt(robots), agent, pathOf(url)).allowed !== allowed,
  );
  const isSame = ({ test: name, allowed }: (typeof cases)[number]) => name === SAME_BY_RFC && !allowed;
  assert.deepEqual(wrong, cases.filter(isSame));
  assert.equal(wrong.length, 3);
  assert.ok(cases.length > 120, String(cases.length));
  t.diagnostic(`${cases.length} cases`);
});
