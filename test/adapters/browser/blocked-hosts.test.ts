import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BlockedHosts } from '../../../src/browser/engine/request-blocking.ts';
import { failure } from '../../../src/domain/failure.ts';
import type { ConnectionLog } from '../../../src/egress/gateway/gateway.ts';

/** A connection that the address policy refused. */
const refused = (host: string | null) =>
  ({ host, cause: failure('policy.address', 'Refused.') }) as ConnectionLog;

describe('BlockedHosts', () => {
  it('counts connections whose host is unknown', () => {
    const blocked = new BlockedHosts();
    for (const host of [null, 'a.test', null]) blocked.record(refused(host));
    assert.deepEqual(
      blocked.warnings(null).map(({ details }) => details),
      [
        {
          count: 3,
          hosts: [
            { host: '', count: 2 },
            { host: 'a.test', count: 1 },
          ],
        },
      ],
    );
    assert.equal(blocked.warnings('a.test')[0]?.details?.count, 2);
  });

  it('does not warn of the host that is reported elsewhere', () => {
    const blocked = new BlockedHosts();
    blocked.record(refused('a.test'));
    assert.deepEqual(blocked.warnings('a.test'), []);
  });
});
