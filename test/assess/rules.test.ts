import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BARE_403 } from '../../src/assess/assess.ts';
import { RULES } from '../../src/assess/match-rules.ts';
import { bare, verdictOf } from './a-page.ts';
import { EXAMPLES } from './examples/all.ts';

describe('each rule is right about its example, and silent about what looks like it', () => {
  test('there is a pair of examples for each rule, and none for others', () => {
    assert.deepEqual(Object.keys(EXAMPLES).sort(), RULES.map(({ id }) => id).sort());
  });

  for (const rule of RULES)
    test(rule.id, () => {
      const example = EXAMPLES[rule.id]!;
      const seen = verdictOf(example.for);
      assert.deepEqual(
        { kind: seen.kind, missing: seen.missing, wall: seen.wall, signals: seen.signals.slice(0, 1) },
        { kind: rule.kind, missing: rule.missing, wall: rule.wall ?? null, signals: [rule.id] },
      );
      const other = verdictOf(example.against);
      assert.equal(other.kind, example.against.kind ?? 'ok', other.signals.join());
    });
});

/** The pages that web servers and frameworks send with 403. */
const OF_SERVERS: readonly (readonly [server: string, body: string])[] = [
  [
    'nginx',
    bare('403 Forbidden', '<center><h1>403 Forbidden</h1></center><hr><center>nginx/1.24.0</center>'),
  ],
  [
    'openresty',
    bare('403 Forbidden', '<center><h1>403 Forbidden</h1></center><hr><center>openresty</center>'),
  ],
  [
    'Apache',
    bare(
      '403 Forbidden',
      "<h1>Forbidden</h1><p>You don't have permission to access this resource.</p><hr><address>Apache/2.4.58 (Ubuntu) Server at a.test Port 80</address>",
    ),
  ],
  [
    'Apache before 2.4',
    bare(
      '403 Forbidden',
      "<h1>Forbidden</h1><p>You don't have permission to access /x on this server.</p><p>Additionally, a 403 Forbidden error was encountered while trying to use an ErrorDocument to handle the request.</p>",
    ),
  ],
  [
    'IIS',
    bare(
      '403 - Forbidden: Access is denied.',
      '<h1>Server Error</h1><h2>403 - Forbidden: Access is denied.</h2><h3>You do not have permission to view this directory or page using the credentials that you supplied.</h3>',
    ),
  ],
  ['lighttpd', bare('403 Forbidden', '<h1>403 Forbidden</h1>')],
  [
    'LiteSpeed',
    bare(
      '403 Forbidden',
      '<h1>403</h1><h2>Forbidden</h2><p>Access to this resource on the server is denied!</p><p>Proudly powered by LiteSpeed Web Server</p>',
    ),
  ],
  [
    'Flask',
    bare(
      '403 Forbidden',
      "<h1>Forbidden</h1><p>You don't have the permission to access the requested resource. It is either read-protected or not readable by the server.</p>",
    ),
  ],
  ['Django', bare('403 Forbidden', '<h1>403 Forbidden</h1>')],
  [
    'S3',
    bare(
      '403 Forbidden',
      '<h1>403 Forbidden</h1><ul><li>Code: AccessDenied</li><li>Message: Access Denied</li><li>RequestId: 4442587FB7D0A2F9</li><li>HostId: vTYU/Hk=</li></ul>',
    ),
  ],
  ['a text', 'Forbidden'],
];
/** Refusals that blame their visitor. */
const OF_FIREWALLS: readonly (readonly [name: string, body: string])[] = [
  [
    'a firewall',
    bare(
      '403 Forbidden',
      '<h1>403 Forbidden</h1><p>Your request was stopped by the web application firewall.</p>',
    ),
  ],
  ['an incident', bare('Access Denied', '<h1>Access Denied</h1><p>Incident number 1234-5678.</p>')],
  ['an id', bare('Access Denied', '<h1>Access Denied</h1><p>Event ID: 77-12</p>')],
  [
    'the address',
    bare('403 Forbidden', '<h1>Forbidden</h1><p>Your IP address 192.0.2.1 may not come here.</p>'),
  ],
  ['the country', bare('Access Denied', '<h1>Access denied</h1><p>Not for visitors from your country.</p>')],
  ['scripts', bare('403 Forbidden', '<h1>403 Forbidden</h1><p>Enable JavaScript.</p>')],
  ['robots', bare('403 Forbidden', '<h1>403 Forbidden</h1><p>No bots.</p>')],
];

test('the 403 of a web server is told from that of a firewall', () => {
  for (const [server, body] of OF_SERVERS) {
    const { kind, signals } = verdictOf({
      status: 403,
      ...(body.startsWith('<') ? {} : { type: 'text/plain' }),
      body,
    });
    assert.deepEqual([kind, signals.at(-1)], ['block', BARE_403], server);
    // With another status it is another statement.
    assert.ok(!verdictOf({ status: 401, body }).signals.includes(BARE_403), server);
  }
  for (const [name, body] of OF_FIREWALLS) {
    const { kind, signals } = verdictOf({ status: 403, body });
    assert.deepEqual([kind, signals.includes(BARE_403)], ['block', false], name);
  }
});
