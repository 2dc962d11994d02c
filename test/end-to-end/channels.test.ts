import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { afterwards, tempFolder } from '../adapters/temp.ts';
import { type MailServer, startMailServer } from '../helpers/mail-server.ts';
import { type ReceivedMessage, type Receiver, startReceiver } from '../helpers/receiver.ts';
import { eventually, type Service, startService } from '../helpers/service.ts';
import { newUser, signIn, type Visitor } from '../helpers/visitor.ts';
import { article, PARAGRAPH, type Run, useChangingSite } from './monitoring.ts';
import { SCHEDULES, type ScheduledRun } from './scheduling.ts';

interface Channel {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly url: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly to: readonly string[];
  readonly state: string;
  readonly failing_since: string | null;
  readonly last_error: string | null;
  readonly last_delivered_at: string | null;
  readonly used_by: readonly { readonly type: string; readonly id: string; readonly name: string | null }[];
}

interface Notification {
  readonly id: string;
  readonly type: string;
  readonly read: boolean;
  readonly source_id: string;
  readonly sequence: number;
  readonly name: string | null;
  readonly title: string;
  readonly text: string;
  readonly url: string;
}

interface Refused {
  readonly code: string;
  readonly errors: readonly { readonly pointer?: string; readonly message: string }[];
}

interface SlackBody {
  readonly text: string;
  readonly blocks: readonly {
    readonly type: string;
    readonly text?: { readonly type: string; readonly text: string };
  }[];
}

const NO_SUCH = '01890000-0000-7000-8000-00000000000a';

describe('channels', () => {
  const site = useChangingSite();
  let service: Service;
  let receiver: Receiver;
  let mail: MailServer;
  let ann: Visitor;
  let userId: string;
  before(async () => {
    mail = await startMailServer({ noTls: true });
    receiver = await startReceiver();
    service = await startService({
      SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8',
      SLUICE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      SLUICE_SMTP_FROM: 'Sluice <sluice@example.com>',
    });
    const user = await newUser(service);
    userId = user.id;
    ann = await signIn(service, user.email);
  });
  after(async () => {
    await service.end();
    await receiver[Symbol.asyncDispose]();
    await mail[Symbol.asyncDispose]();
  });

  const hookAt = (path: string) => new URL(path, receiver.url).href;
  const create = async (body: object, as: Pick<Visitor, 'call'> = ann) => {
    const made = await as.call<Channel>('POST', '/api/v1/channels/', { body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body;
  };
  const refused = async (method: string, path: string, body: object, as: Pick<Visitor, 'call'> = ann) => {
    const { status, body: problem } = await as.call<Refused>(method, path, { body });
    return { status, code: problem.code, pointers: problem.errors.flatMap(({ pointer }) => pointer ?? []) };
  };
  const messagesAt = (path: string) => receiver.messages.filter((message) => message.path === path);
  const bell = async (as: Pick<Visitor, 'call'> = ann) =>
    (await as.call<{ items: readonly Notification[]; unread: number }>('GET', '/api/v1/notifications/')).body;
  const makeMonitor = async (body: object) => {
    const made = await ann.call<{ id: string }>('POST', '/api/v1/monitors/', {
      body: { name: 'Town', schedule: { every_s: 86_400 }, first_run: 'scheduled', ...body },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.id;
  };
  const runNow = async (id: string) => {
    const begun = await ann.call<{ n: number }>('POST', `/api/v1/monitors/${id}/run/`);
    const ended = async () => {
      const { body } = await ann.call<{ items: Run[] }>('GET', `/api/v1/monitors/${id}/runs/`);
      return body.items.find(({ n, state }) => n === begun.body.n && state === 'ended') ?? null;
    };
    await eventually(async () => (await ended()) !== null);
    return (await ended())!;
  };
  /** A monitor whose second run has found a change. */
  const changed = async (path: string, body: object) => {
    site.set(path, article(`${PARAGRAPH}<p>The bridge stays closed.</p>`));
    const id = await makeMonitor({ request: { url: `${site.url}${path}`, scraper: 'http' }, ...body });
    await runNow(id);
    site.set(path, article(`${PARAGRAPH}<p>The bridge is \`open\` &amp; &lt;b&gt;free&lt;/b&gt;.</p>`));
    await runNow(id);
    return id;
  };

  test('a channel is made, read without its secrets, changed, and deleted', async () => {
    const slack = await create({ name: 'Ops', type: 'slack', url: hookAt('/services/T0/SECRET') });
    assert.equal(slack.url, `${new URL(receiver.url).origin}/***`);
    const hook = await create({
      name: 'Program',
      type: 'webhook',
      url: hookAt('/hook'),
      headers: { 'X-Token': 'very-secret' },
    });
    assert.deepEqual([hook.headers, hook.state, hook.used_by], [{ 'X-Token': '***' }, 'ok', []]);
    const team = await create({ name: 'Team', type: 'email', to: ['team@example.com'] });
    assert.deepEqual([team.url, team.to], [null, ['team@example.com']]);
    const list = await ann.call<{ items: Channel[] }>('GET', '/api/v1/channels/');
    const text = JSON.stringify(list.body);
    assert.doesNotMatch(text, /SECRET|very-secret/);
    assert.deepEqual(
      list.body.items.map(({ name }) => name),
      ['Team', 'Program', 'Ops'],
    );
    const path = `/api/v1/channels/${hook.id}/`;
    const renamed = await ann.call<Channel>('PATCH', path, { body: { name: 'Other' } });
    assert.deepEqual([renamed.body.name, renamed.body.headers], ['Other', { 'X-Token': '***' }]);
    // Who changes the URL does not get the secrets of the old one.
    const elsewhere = { url: 'http://127.0.0.1:9/steal' };
    assert.deepEqual(await refused('PATCH', path, elsewhere), {
      status: 400,
      code: 'request.validation',
      pointers: ['/headers'],
    });
    const moved = await ann.call<Channel>('PATCH', path, { body: { ...elsewhere, headers: {} } });
    assert.deepEqual([moved.body.url, moved.body.headers], [elsewhere.url, {}]);
    assert.equal((await ann.call('DELETE', path)).status, 204);
    assert.equal((await ann.call('GET', path)).status, 404);
    const audit = await service.api<{
      items: { action: string; target: { name: string }; details: object }[];
    }>('GET', `/api/v1/audit/?target_id=${hook.id}`);
    assert.deepEqual(
      audit.body.items.map(({ action }) => action),
      ['channel.deleted', 'channel.updated', 'channel.updated', 'channel.created'],
    );
    assert.equal(audit.body.items[0]!.target.name, moved.body.name);
    assert.doesNotMatch(JSON.stringify(audit.body), /very-secret|steal/);
  });

  test('what no channel can be is refused with its place', async () => {
    const path = '/api/v1/channels/';
    const name = 'x';
    const cases: [object, string][] = [
      [{ name, type: 'fax', url: receiver.url }, '/type'],
      [{ name, type: 'slack' }, '/url'],
      [{ name, type: 'webhook', url: 'ftp://a.test/' }, '/url'],
      [{ name, type: 'webhook', url: 'http://10.1.2.3/' }, '/url'],
      [{ name, type: 'webhook', url: 'http://[::ffff:10.0.0.1]/' }, '/url'],
      [{ name, type: 'webhook', url: 'http://no-such-host.invalid/' }, '/url'],
      [{ name, type: 'webhook', url: receiver.url, headers: { 'webhook-id': '1' } }, '/headers/webhook-id'],
      [{ name, type: 'webhook', url: receiver.url, headers: { 'X-A': 'a\r\nX-B: b' } }, '/headers/X-A'],
      [{ name, type: 'slack', url: receiver.url, headers: {} }, '/headers'],
      [{ name, type: 'email', to: ['a@b.test\r\nBcc: c@d.test'] }, '/to/0'],
      [{ name, type: 'email', to: ['a@b.test'], url: receiver.url }, '/url'],
      [{ type: 'email', to: ['a@b.test'] }, '/name'],
    ];
    for (const [body, pointer] of cases) {
      const { status, pointers } = await refused('POST', path, body);
      assert.deepEqual([status, pointers], [400, [pointer]], JSON.stringify(body));
    }
    const { body } = await service.api('GET', '/api/v1/channels/');
    assert.deepEqual((body as { items: unknown[] }).items, [], 'channels of others are private');
  });

  test('a test message shows how it ended, and ends failures', async () => {
    const good = await create({ name: 'Good', type: 'webhook', url: hookAt('/good') });
    const { body } = await ann.call<{ ok: boolean; status: number }>(
      'POST',
      `/api/v1/channels/${good.id}/test/`,
    );
    assert.deepEqual([body.ok, body.status], [true, 204]);
    const [message] = messagesAt('/good');
    assert.equal(message!.body.type, 'channel.test');
    const secret = (await ann.call<{ secret: string }>('GET', '/api/v1/webhooks/secret/')).body.secret;
    new Webhook(secret).verify(message!.text, message!.headers as Record<string, string>);
    const tested = await ann.call<Channel>('GET', `/api/v1/channels/${good.id}/`);
    assert.notEqual(tested.body.last_delivered_at, null);
    const bad = await create({ name: 'Bad', type: 'webhook', url: 'http://127.0.0.1:1/' });
    const failed = await ann.call<{ ok: boolean; error: string }>('POST', `/api/v1/channels/${bad.id}/test/`);
    assert.equal(failed.body.ok, false);
    assert.match(failed.body.error, /refuse/i);
    const redirecting = await create({ name: 'Redirects', type: 'slack', url: hookAt('/redirects') });
    receiver.answer = ({ path }, response) =>
      void (path === '/redirects'
        ? response.writeHead(302, { location: receiver.url }).end()
        : response.writeHead(204).end());
    const other = await ann.call<{ ok: boolean; error: string }>(
      'POST',
      `/api/v1/channels/${redirecting.id}/test/`,
    );
    assert.match(other.body.error, /redirects are not followed/);
    assert.deepEqual(messagesAt(new URL(receiver.url).pathname), [], 'nobody was sent there');
    const hanging = await create({ name: 'Hangs', type: 'webhook', url: hookAt('/hangs') });
    receiver.answer = ({ path }, response) => void (path === '/hangs' ? null : response.writeHead(204).end());
    const late = await ann.call<{ ok: boolean; status: number | null; error: string }>(
      'POST',
      `/api/v1/channels/${hanging.id}/test/`,
    );
    assert.deepEqual([late.body.ok, late.body.status], [false, null]);
    assert.match(late.body.error, /no answer in time/i);
    assert.equal((await ann.call('POST', `/api/v1/channels/${good.id}/resume/`)).status, 409);
  });

  test('a change of a monitor reaches each channel, with what changed and a link', async () => {
    const slack = await create({ name: 'Slack', type: 'slack', url: hookAt('/slack/1') });
    const hook = await create({ name: 'Hook', type: 'webhook', url: hookAt('/hook/1') });
    const team = await create({ name: 'Team', type: 'email', to: ['town@example.com'] });
    const name = 'Town <b>news</b> & *more*';
    const id = await changed('/told', { name, channels: [slack.id, hook.id, team.id] });
    const shown = await ann.call<{ channels: string[]; notify_on: string[] }>(
      'GET',
      `/api/v1/monitors/${id}/`,
    );
    assert.deepEqual(shown.body.channels, [slack.id, hook.id, team.id]);
    assert.deepEqual(shown.body.notify_on, ['changed', 'failed']);
    await eventually(() => messagesAt('/slack/1').length === 1 && messagesAt('/hook/1').length === 1);
    const url = `${service.base}/monitors/${id}?run=2`;

    const { blocks, text } = messagesAt('/slack/1')[0]!.body as unknown as SlackBody;
    const parts = blocks.map(({ text: part }) => part?.text ?? '');
    assert.equal(parts[0], 'Changed: Town &lt;b&gt;news&lt;/b&gt; &amp; *more*');
    assert.equal(blocks[0]!.text!.type, 'plain_text');
    assert.match(parts[1]!, /1 line added, 1 removed\./);
    assert.ok(parts[1]!.includes(`${site.url}/told`));
    assert.match(parts[2]!, /^```[^`]*```$/, 'the difference cannot end its block');
    assert.match(parts[2]!, /\+The bridge is .*&amp; &lt;b&gt;free&lt;\/b&gt;|\+The bridge is/);
    assert.doesNotMatch(text, /<b>/);
    assert.ok(parts.at(-1)!.includes(`<${url}|`));

    const message = messagesAt('/hook/1')[0]!.body;
    assert.equal(message.type, 'monitor.changed');
    assert.partialDeepStrictEqual(message.data, {
      source_id: id,
      n: 2,
      name,
      url,
      text: '1 line added, 1 removed.',
      monitor: { id, url: `${site.url}/told` },
      screenshot_url: null,
    });
    assert.match((message.data.run as { change: { diff: string } }).change.diff, /^\+The bridge is/m);

    const [letter] = await mail.received('Open in Sluice');
    assert.deepEqual(letter!.to, ['town@example.com']);
    assert.match(letter!.text, /Subject: .*Changed: Town/);
    assert.ok(letter!.text.includes(url), 'the text has the link');
    assert.ok(letter!.text.includes('Town &lt;b&gt;news&lt;/b&gt; &amp; *more*'), 'HTML is escaped');

    const { items } = await bell();
    const found = items.find(({ source_id: of }) => of === id)!;
    assert.partialDeepStrictEqual(found, { type: 'monitor.changed', name, sequence: 2, read: false, url });
  });

  test('the end of a job is told, if it asks for that: by channels, or by the bell alone', async () => {
    site.set('/ok', article(PARAGRAPH));
    const hook = await create({ name: 'Jobs', type: 'webhook', url: hookAt('/jobs') });
    const requests = [{ url: `${site.url}/ok` }, { url: 'http://127.0.0.1:1/' }];
    const batch = { requests, defaults: { scraper: 'http' }, retries: 0 };
    const start = async (body: object) =>
      (await ann.call<{ id: string }>('POST', '/api/v1/batches/', { body: { ...batch, ...body } })).body.id;
    const silent = await start({});
    const told = await start({ name: 'Nightly', channels: [hook.id] });
    const rung = await start({ notify_on: ['done'] });
    const crawl = await ann.call<{ id: string }>('POST', '/api/v1/crawls/', {
      body: { url: `${site.url}/gone`, request: { scraper: 'http' }, retries: 0, channels: [hook.id] },
    });
    const scrape = await ann.call<{ id: string }>('POST', '/api/v1/scrape/', {
      body: { url: `${site.url}/ok`, scraper: 'http', router: { channels: [hook.id], notify_on: ['done'] } },
      headers: { prefer: 'respond-async' },
    });
    assert.equal(scrape.status, 202, JSON.stringify(scrape.body));
    await eventually(() => messagesAt('/jobs').length === 3);
    const byId = new Map(messagesAt('/jobs').map(({ body }) => [body.data.source_id, body]));
    assert.partialDeepStrictEqual(byId.get(told), {
      type: 'job.done',
      data: {
        title: 'Done: Nightly',
        url: `${service.base}/jobs/${told}`,
        job: { counts: { ok: 1, failed: 1 } },
      },
    });
    assert.match(String(byId.get(told)!.data.text), /1 ok, 1 failed, 0 skipped/);
    assert.ok(['job.done', 'job.failed'].includes(byId.get(crawl.body.id)!.type));
    assert.partialDeepStrictEqual(byId.get(scrape.body.id), {
      type: 'scrape.done',
      data: { url: `${service.base}/history/${scrape.body.id}` },
    });
    const ended = async () =>
      (await ann.call<{ state: string }>('GET', `/api/v1/jobs/${silent}/`)).body.state === 'done';
    await eventually(ended);
    await eventually(async () => (await bell()).items.some(({ source_id: id }) => id === rung));
    const ids = (await bell()).items.map(({ source_id: id }) => id);
    assert.deepEqual([ids.includes(silent), ids.includes(told)], [false, true]);
  });

  test('a schedule tells of its runs, and of those that could not start', async () => {
    site.set('/ok', article(PARAGRAPH));
    const hook = await create({ name: 'Runs', type: 'webhook', url: hookAt('/runs') });
    const fine = { url: `${site.url}/ok`, scraper: 'http' };
    const broken = { url: 'http://127.0.0.1:1/', scraper: 'http' };
    type Shown = { id: string; channels: string[]; notify_on: string[] };
    const make = async (body: object) => {
      const made = await ann.call<Shown>('POST', SCHEDULES, {
        body: { name: 'Nightly', schedule: { every_s: 86_400 }, ...body },
      });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return made.body;
    };
    const run = async ({ id }: Shown) => {
      const { body } = await ann.call<{ n: number }>('POST', `${SCHEDULES}${id}/run/`);
      const runOf = async () =>
        (await ann.call<{ items: ScheduledRun[] }>('GET', `${SCHEDULES}${id}/runs/`)).body.items.find(
          ({ n }) => n === body.n,
        )!;
      await eventually(async () => ['ended', 'missed'].includes((await runOf()).state));
      return await runOf();
    };
    const batch = (...requests: object[]) => ({ kind: 'batch', retries: 0, requests });
    const channels = [hook.id];
    const quiet = await make({ job: batch(fine), channels });
    assert.deepEqual([quiet.channels, quiet.notify_on], [channels, ['failed']]);
    const fails = await make({ job: batch(broken, broken), channels, name: 'Broken' });
    const all = await make({ job: { kind: 'scrape', ...fine }, channels, notify_on: ['done', 'failed'] });
    const rung = await make({ job: batch(broken), name: 'Only the bell' });
    const [none, failed, done, silent] = [
      await run(quiet),
      await run(fails),
      await run(all),
      await run(rung),
    ];
    await eventually(() => messagesAt('/runs').length === 2);
    const byId = new Map(messagesAt('/runs').map(({ body }) => [body.data.source_id, body]));
    assert.partialDeepStrictEqual(byId.get(failed.job_id!), {
      type: 'job.failed',
      data: {
        title: 'Failed: Broken',
        url: `${service.base}/jobs/${failed.job_id}`,
        job: { schedule_id: fails.id, counts: { ok: 0, failed: 2 } },
      },
    });
    assert.partialDeepStrictEqual(byId.get(done.job_id!), {
      type: 'scrape.done',
      data: { title: 'Done: Nightly', job: { schedule_id: all.id } },
    });
    const ids = (await bell()).items.map(({ source_id: id }) => id);
    assert.deepEqual([ids.includes(none.job_id!), ids.includes(silent.job_id!)], [false, true]);

    // A template that is gone does not let the job start.
    await ann.call('POST', '/api/v1/templates/', { body: { name: 'gone', rules: { h: 'h1' } } });
    const extract = { scraper_options: { extract: 'template:gone' } };
    const cannot = await make({ job: { kind: 'scrape', ...fine, ...extract }, channels, name: 'Cannot' });
    assert.equal((await ann.call('DELETE', '/api/v1/templates/gone/')).status, 204);
    const missed = [await run(cannot), await run(cannot)];
    assert.deepEqual(
      missed.map(({ reason }) => reason),
      ['template.unknown', 'template.unknown'],
    );
    await eventually(() => messagesAt('/runs').length === 3);
    assert.partialDeepStrictEqual(messagesAt('/runs')[2]!.body, {
      type: 'schedule.failed',
      data: { source_id: cannot.id, n: missed[0]!.n, url: `${service.base}/schedules/${cannot.id}` },
    });
    assert.match(String(messagesAt('/runs')[2]!.body.data.text), /^The run did not start\. .*template/);
    const ofCannot = (await bell()).items.filter(({ source_id: id }) => id === cannot.id);
    assert.equal(ofCannot.length, 1, 'runs in a row with the same trouble are told once');
  });

  test('the channels of a schedule are checked, changed and kept as those of monitors', async () => {
    const mine = await create({ name: 'Mine', type: 'webhook', url: hookAt('/mine') });
    const other = await signIn(service, (await newUser(service)).email);
    const theirs = await create({ name: 'Theirs', type: 'webhook', url: hookAt('/theirs') }, other);
    const request = { url: `${site.url}/ok`, scraper: 'http' };
    const job = { kind: 'scrape', ...request };
    const body = { name: 'Checked', job, schedule: { every_s: 86_400 } };
    const cases: [object, string][] = [
      [{ channels: [mine.id, theirs.id] }, '/channels/1'],
      [{ notify_on: ['changed'] }, '/notify_on/0'],
      [{ notify_on: ['failed', 'person_needed'] }, '/notify_on/1'],
      [{ job: { ...job, router: { channels: [mine.id] } } }, '/job/router/channels'],
      [{ job: { ...job, router: { notify_on: ['done'] } } }, '/job/router/notify_on'],
      [{ job: { kind: 'batch', requests: [request], channels: [] } }, '/job/channels'],
      [{ job: { kind: 'crawl', url: site.url, notify_on: ['done'] } }, '/job/notify_on'],
    ];
    for (const [change, pointer] of cases)
      assert.deepEqual(await refused('POST', SCHEDULES, { ...body, ...change }), {
        status: 400,
        code: 'request.validation',
        pointers: [pointer],
      });
    const misplaced = await ann.call<Refused>('POST', SCHEDULES, { body: { ...body, ...cases[3]![0] } });
    assert.match(misplaced.body.errors[0]!.message, /use `channels` of the schedule/);

    type Shown = { id: string; channels: string[]; notify_on: string[] };
    const { body: made } = await ann.call<Shown>('POST', SCHEDULES, {
      body: { ...body, channels: [mine.id], notify_on: ['done'] },
    });
    const path = `${SCHEDULES}${made.id}/`;
    const told = ({ channels, notify_on: events }: Shown) => [channels, events];
    const patch = async (change: object) =>
      told((await ann.call<Shown>('PATCH', path, { body: change })).body);
    assert.deepEqual(await patch({ name: 'Renamed' }), [[mine.id], ['done']]);
    assert.deepEqual(await patch({ notify_on: ['done', 'failed'] }), [[mine.id], ['done', 'failed']]);
    assert.deepEqual((await refused('PATCH', path, { channels: [theirs.id] })).pointers, ['/channels/0']);
    const { body: shown } = await ann.call<Channel>('GET', `/api/v1/channels/${mine.id}/`);
    assert.deepEqual(shown.used_by, [{ type: 'schedule', id: made.id, name: 'Renamed' }]);
    assert.equal((await ann.call('DELETE', `/api/v1/channels/${mine.id}/`)).status, 409);
    assert.deepEqual(await patch({ channels: [] }), [[], ['done', 'failed']]);
    assert.equal((await ann.call('DELETE', `/api/v1/channels/${mine.id}/`)).status, 204);
  });

  test('who may name a channel, and of which events', async () => {
    const mine = await create({ name: 'Mine', type: 'webhook', url: hookAt('/mine') });
    const other = await signIn(service, (await newUser(service)).email);
    const theirs = await create({ name: 'Theirs', type: 'webhook', url: hookAt('/theirs') }, other);
    const monitor = {
      name: 'm',
      request: { url: `${site.url}/ok`, scraper: 'http' },
      schedule: { every_s: 86_400 },
    };
    const batch = { requests: [{ url: `${site.url}/ok` }] };
    for (const [path, body] of [
      ['/api/v1/monitors/', monitor],
      ['/api/v1/batches/', batch],
      ['/api/v1/crawls/', { url: `${site.url}/ok` }],
    ] as const) {
      for (const id of [theirs.id, NO_SUCH])
        assert.deepEqual(await refused('POST', path, { ...body, channels: [mine.id, id] }), {
          status: 400,
          code: 'request.validation',
          pointers: ['/channels/1'],
        });
      const needed = await refused('POST', path, { ...body, notify_on: ['failed', 'person_needed'] });
      assert.deepEqual([needed.status, needed.pointers], [400, ['/notify_on/1']]);
    }
    assert.deepEqual(
      (await refused('POST', '/api/v1/batches/', { ...batch, notify_on: ['changed'] })).pointers,
      ['/notify_on/0'],
    );
    const id = await makeMonitor({ ...monitor, channels: [mine.id], notify_on: ['changed', 'done'] });
    const path = `/api/v1/monitors/${id}/`;
    assert.deepEqual((await refused('PATCH', path, { channels: [theirs.id] })).pointers, ['/channels/0']);
    const patched = await ann.call<{ channels: string[]; notify_on: string[] }>('PATCH', path, {
      body: { channels: [] },
    });
    assert.deepEqual([patched.body.channels, patched.body.notify_on], [[], ['changed', 'done']]);
    const sync = { url: `${site.url}/ok`, router: { channels: [mine.id] } };
    assert.deepEqual((await refused('POST', '/api/v1/scrape/', sync)).pointers, ['/router/channels']);
    assert.deepEqual((await refused('POST', '/api/v1/batches/', { requests: [sync] })).pointers, [
      '/requests/0/router/channels',
    ]);
    const made = await ann.call<{ key: string }>('POST', '/api/v1/keys/', {
      body: { name: 'scrapes', scopes: ['scrape', 'read'] },
    });
    const limited = await service.api<Refused>('POST', '/api/v1/scrape/', {
      body: sync,
      key: made.body.key,
      headers: { prefer: 'respond-async' },
    });
    assert.deepEqual([limited.status, limited.body.code], [403, 'auth.scope']);
  });

  test('a channel that is in use is not deleted, unless it is to be removed from all', async () => {
    const shared = await create({ name: 'Shared', type: 'webhook', url: hookAt('/shared') });
    const request = { url: `${site.url}/ok`, scraper: 'http' };
    const id = await makeMonitor({ name: 'Uses it', request, channels: [shared.id] });
    const rule = await ann.call<{ id: string; channels: { id: string; name: string | null }[] }>(
      'POST',
      '/api/v1/alerts/',
      {
        body: {
          name: 'Fails',
          kind: 'monitor',
          channels: [{ id: shared.id }, { type: 'webhook', url: hookAt('/own') }],
        },
      },
    );
    assert.equal(rule.status, 201, JSON.stringify(rule.body));
    assert.deepEqual(
      rule.body.channels.map(({ name }) => name),
      ['Shared', null],
    );
    const path = `/api/v1/channels/${shared.id}/`;
    const { body } = await ann.call<Channel>('GET', path);
    assert.deepEqual(body.used_by.map(({ type, name }) => [type, name]).sort(), [
      ['alert', 'Fails'],
      ['monitor', 'Uses it'],
    ]);
    const inUse = await ann.call<Refused>('DELETE', path);
    assert.deepEqual([inUse.status, inUse.body.code], [409, 'channel.in_use']);
    assert.equal((await ann.call('DELETE', `${path}?detach=1`)).status, 204);
    const monitor = await ann.call<{ channels: string[] }>('GET', `/api/v1/monitors/${id}/`);
    assert.deepEqual(monitor.body.channels, []);
    const left = await ann.call<{ channels: object[] }>('GET', `/api/v1/alerts/${rule.body.id}/`);
    assert.equal(left.body.channels.length, 1);
  });

  test('a profile tells by its channels that it is logged out', async () => {
    const hook = await create({ name: 'Sessions', type: 'webhook', url: hookAt('/sessions') });
    const slack = await create({ name: 'Ops', type: 'slack', url: hookAt('/sessions/slack') });
    interface Profile {
      readonly channels: readonly string[];
      readonly state: string;
    }
    const profile = { name: 'orders', sites: ['sluice.test'], shared: true };
    const unknown = await refused('POST', '/api/v1/profiles/', { ...profile, channels: [NO_SUCH] });
    assert.deepEqual([unknown.status, unknown.pointers], [400, ['/channels/0']]);
    const made = await ann.call<Profile>('POST', '/api/v1/profiles/', {
      body: { ...profile, channels: [hook.id] },
    });
    assert.deepEqual([made.status, made.body.channels], [201, [hook.id]], JSON.stringify(made.body));
    const path = '/api/v1/profiles/orders/';
    const change = async (body: object) => (await ann.call<Profile>('PATCH', path, { body })).body.channels;
    assert.deepEqual(await change({ name: 'orders' }), [hook.id]);
    assert.deepEqual(await change({ channels: [hook.id, slack.id] }), [hook.id, slack.id]);
    const others = await signIn(service, (await newUser(service)).email);
    const { body: seen } = await others.call<{ items: Profile[] }>('GET', '/api/v1/profiles/');
    assert.deepEqual(
      seen.items.map(({ channels }) => channels),
      [[]],
    );
    const { body } = await ann.call<Channel>('GET', `/api/v1/channels/${hook.id}/`);
    assert.deepEqual(
      body.used_by.map(({ type, name }) => [type, name]),
      [['profile', 'orders']],
    );

    const url = 'https://login.sluice.test/account';
    const scrape = { url, scraper: 'http', scraper_options: { profile: 'orders' } };
    const { id } = (await ann.call<{ id: string }>('POST', '/api/v1/scrape/', { body: scrape })).body;
    await eventually(() => messagesAt('/sessions').length + messagesAt('/sessions/slack').length === 2);
    assert.partialDeepStrictEqual(messagesAt('/sessions')[0]!.body, {
      type: 'profile.logged_out',
      data: {
        title: 'Logged out: orders',
        text: 'A page of login.sluice.test asked to log in.',
        profile: { name: 'orders', sites: ['sluice.test'], host: 'login.sluice.test', scrape_id: id },
      },
    });
    const toPeople = messagesAt('/sessions/slack')[0]!.body as unknown as SlackBody;
    assert.match(toPeople.text, /Logged out: orders\nA page of login\.sluice\.test asked to log in\./);

    assert.equal((await ann.call('DELETE', `/api/v1/channels/${slack.id}/?detach=1`)).status, 204);
    assert.deepEqual((await ann.call<Profile>('GET', path)).body.channels, [hook.id]);
    assert.deepEqual(await change({ channels: [] }), []);
    assert.equal((await ann.call('DELETE', `/api/v1/channels/${hook.id}/`)).status, 204);
    assert.equal((await ann.call('DELETE', path)).status, 204);
  });

  test('a rule tells by a shared channel, as by its own, and by the bell', async () => {
    const shared = await create({ name: 'Shared', type: 'webhook', url: hookAt('/alerts/shared') });
    await ann.call('POST', '/api/v1/alerts/', {
      body: {
        name: 'Fails once',
        kind: 'monitor',
        conditions: { threshold: 1 },
        channels: [{ id: shared.id }, { type: 'webhook', url: hookAt('/alerts/own') }],
      },
    });
    site.set('/401', '<h1>Unauthorized</h1>', 401);
    const id = await makeMonitor({ name: 'Fails', request: { url: `${site.url}/401`, scraper: 'http' } });
    await runNow(id);
    await eventually(
      () => messagesAt('/alerts/shared').length > 0 && messagesAt('/alerts/own').length > 0,
      30_000,
    );
    const dataOf = ([message]: readonly ReceivedMessage[]) => message!.body.data;
    assert.deepEqual(dataOf(messagesAt('/alerts/shared')), dataOf(messagesAt('/alerts/own')));
    assert.ok(
      (await bell()).items.some(({ type, name }) => type === 'alert.firing' && name === 'Fails once'),
    );
  });

  test('a page with long lines makes a short message', async () => {
    const hook = await create({ name: 'Long', type: 'slack', url: hookAt('/long') });
    const id = await makeMonitor({
      request: { url: `${site.url}/long`, scraper: 'http' },
      channels: [hook.id],
      compare: { format: 'text', selector: 'body' },
    });
    const page = (text: string) => `<!doctype html><title>Long</title><body><p>${text}</p></body>`;
    site.set('/long', page('a '.repeat(500_000)));
    await runNow(id);
    site.set('/long', page('&amp; '.repeat(500_000)));
    assert.equal((await runNow(id)).change!.state, 'changed');
    await eventually(() => messagesAt('/long').length === 1);
    const { blocks } = messagesAt('/long')[0]!.body as unknown as SlackBody;
    for (const { text } of blocks) assert.ok((text?.text.length ?? 0) <= 3_000);
  });

  test('a monitor name cannot add a header to a mail', async () => {
    const team = await create({ name: 'Mail', type: 'email', to: ['safe@example.com'] });
    await changed('/header', { name: 'Town\r\nBcc: evil@example.com\r\n\r\nHello', channels: [team.id] });
    await eventually(() => mail.mails.some(({ to }) => to.includes('safe@example.com')));
    const letter = mail.mails.find(({ to }) => to.includes('safe@example.com'))!;
    assert.deepEqual(letter.to, ['safe@example.com']);
    const head = letter.text.slice(0, letter.text.indexOf('\r\n\r\n'));
    assert.doesNotMatch(head, /^Bcc:/im);
  });

  test('notifications are read one by one, and all at once', async () => {
    const { items, unread } = await bell();
    assert.ok(items.length > 2 && unread >= items.length - 1);
    const [newest, second] = items;
    const one = await ann.call<{ unread: number }>('POST', '/api/v1/notifications/read/', {
      body: { ids: [second!.id] },
    });
    assert.equal(one.body.unread, unread - 1);
    const rest = await ann.call<{ items: Notification[]; next_cursor: string }>(
      'GET',
      '/api/v1/notifications/?unread=1&limit=1',
    );
    assert.deepEqual(
      rest.body.items.map(({ id }) => id),
      [newest!.id],
    );
    const next = await ann.call<{ items: Notification[] }>(
      'GET',
      `/api/v1/notifications/?unread=1&limit=1&cursor=${rest.body.next_cursor}`,
    );
    assert.ok(Number(next.body.items[0]!.id) < Number(second!.id), 'what is read is left out');
    const all = await ann.call<{ unread: number }>('POST', '/api/v1/notifications/read/', {
      body: { up_to: newest!.id },
    });
    assert.equal(all.body.unread, 0);
    assert.deepEqual(await refused('POST', '/api/v1/notifications/read/', {}), {
      status: 400,
      code: 'request.validation',
      pointers: [''],
    });
    const other = await signIn(service, (await newUser(service)).email);
    assert.deepEqual((await bell(other)).items, []);
  });

  test('a disabled user is told nothing', async () => {
    const hook = await create({ name: 'Off', type: 'webhook', url: hookAt('/off') });
    site.set('/ok', article(PARAGRAPH));
    receiver.answer = ({ path }, response) => void response.writeHead(path === '/off' ? 500 : 204).end();
    await ann.call('POST', '/api/v1/batches/', {
      body: { requests: [{ url: `${site.url}/ok` }], defaults: { scraper: 'http' }, channels: [hook.id] },
    });
    await eventually(() => messagesAt('/off').length === 1);
    const { status } = await service.api('PATCH', `/api/v1/users/${userId}/`, { body: { disabled: true } });
    assert.equal(status, 200);
    const admin = await signIn(service, (await newUser(service, { role: 'admin' })).email);
    const path = `/api/v1/webhooks/?source=${hook.id}`;
    // The next try is after five seconds.
    await eventually(async () => {
      const { body } = await admin.call<{ items: { error: string | null }[] }>('GET', path);
      return body.items[0]!.error === 'The user is disabled.';
    }, 20_000);
    assert.equal(messagesAt('/off').length, 1);
  });
});

describe('channels after a crash', () => {
  const site = useChangingSite();

  test('after kill -9 what was to be told is told, and is in the bell once', async (t) => {
    await using receiver = await startReceiver();
    const dataDir = tempFolder(t);
    const env = { SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' };
    const first = await startService(env, { dataDir });
    site.set('/ok', article(PARAGRAPH));
    // The channel hangs, so the process dies between the event and its delivery.
    receiver.answer = () => {};
    const channel = await first.api<{ id: string }>('POST', '/api/v1/channels/', {
      body: { name: 'Hangs', type: 'webhook', url: receiver.url },
    });
    const batch = await first.api<{ id: string }>('POST', '/api/v1/batches/', {
      body: {
        requests: [{ url: `${site.url}/ok`, scraper: 'http' }],
        channels: [channel.body.id],
        name: 'Nightly',
      },
    });
    await eventually(() => receiver.messages.length === 1);
    await first.kill9();
    receiver.answer = (_, response) => void response.writeHead(204).end();
    receiver.messages.length = 0;
    const second = await startService(env, { dataDir });
    afterwards(t, () => second.end());
    // In a store that services share, it is sent when the lease of 30 s has ended.
    await eventually(() => receiver.messages.length === 1, 90_000);
    assert.partialDeepStrictEqual(receiver.messages[0]!.body, {
      type: 'job.done',
      data: { source_id: batch.body.id, title: 'Done: Nightly' },
    });
    const { body } = await second.api<{ items: readonly Notification[] }>('GET', '/api/v1/notifications/');
    assert.deepEqual(
      body.items.map(({ type, source_id: id }) => [type, id]),
      [['job.done', batch.body.id]],
    );
    await eventually(async () => {
      const { body: shown } = await second.api<Channel>('GET', `/api/v1/channels/${channel.body.id}/`);
      return shown.last_delivered_at !== null && shown.state === 'ok';
    });
  });
});
