import assert from 'node:assert/strict';
import { eventually } from '../../helpers/service.ts';
import { call, each, judged, named, PUBLIC_V4 } from './stage.ts';

const CLOSED = [
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '::1',
  '::ffff:10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  'fd00:ec2::254',
];
const PUBLIC = { addresses: [PUBLIC_V4], ttl: 0 };

interface Refused {
  readonly errors: readonly { readonly pointer: string }[];
}
interface Export {
  readonly id: string;
  readonly state: string;
  readonly error: { readonly code: string } | null;
}

const channelAt = (host: string) => ({ name: host, type: 'webhook', url: `http://${host}/` });
const s3At = (host: string) => ({
  kind: 's3',
  endpoint: `http://${host}`,
  bucket: 'results',
  key: 'a.csv',
  access_key_id: 'id',
  secret_access_key: 'secret',
  path_style: true,
});
const TARGETS: readonly ((host: string) => object)[] = [
  (host) => ({ kind: 'put', url: `http://${host}/a.csv` }),
  (host) => ({ kind: 'webhook', url: `http://${host}/` }),
  s3At,
];

/** A job that has ended. */
async function endedJob(): Promise<string> {
  const requests = [{ url: `http://${named({ addresses: [PUBLIC_V4] })}/`, scraper: 'http' }];
  const { body } = await call<{ id: string }>('POST', '/api/v1/batches/', { requests });
  await eventually(async () => {
    const job = await call<{ state: string }>('GET', `/api/v1/jobs/${body.id}/`);
    return job.body.state === 'done';
  });
  return body.id;
}

judged(
  'channels and targets of exports: a name of a closed address is refused when it is saved',
  async () => {
    const job = await endedJob();
    await each(CLOSED, async (address) => {
      for (const addresses of [[address], [PUBLIC_V4, address]]) {
        const name = named({ addresses, ttl: 0 });
        const channel = await call<Refused>('POST', '/api/v1/channels/', channelAt(name));
        assert.deepEqual([channel.status, channel.body.errors[0]?.pointer], [400, '/url'], channel.text);
        for (const targetAt of TARGETS) {
          const path = `/api/v1/jobs/${job}/export/`;
          const target = targetAt(name);
          const made = await call<Refused>('POST', path, { format: 'csv', target });
          assert.equal(made.status, 400, made.text);
          assert.match(made.body.errors[0]!.pointer, /^\/target\/(?:url|endpoint)$/);
        }
      }
    });
  },
);

judged(
  'channels and targets of exports: a name that becomes one of a closed address is not dialled',
  async () => {
    const job = await endedJob();
    await each(CLOSED, async (address) => {
      const then = { addresses: [address], ttl: 0 };
      const channel = await call<{ id: string }>('POST', '/api/v1/channels/', channelAt(named(PUBLIC, then)));
      assert.equal(channel.status, 201, channel.text);
      const tested = await call<{ ok: boolean; status: number | null; error: string }>(
        'POST',
        `/api/v1/channels/${channel.body.id}/test/`,
      );
      assert.deepEqual([tested.body.ok, tested.body.status], [false, null], tested.text);
      assert.match(tested.body.error, /not allowed/);
      for (const targetAt of TARGETS) {
        const target = targetAt(named(PUBLIC, then));
        const made = await call<Export>('POST', `/api/v1/jobs/${job}/export/`, { format: 'csv', target });
        assert.equal(made.status, 202, made.text);
        const exportOf = async () => (await call<Export>('GET', `/api/v1/exports/${made.body.id}/`)).body;
        await eventually(async () => (await exportOf()).state === 'failed', 30_000);
        assert.equal((await exportOf()).error!.code, 'policy.address');
      }
    });
    console.log(`counted: ${CLOSED.length} addresses × 4 receivers of rebinding`);
  },
);
