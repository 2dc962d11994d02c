import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deadlineOf } from '../../../src/base/time.ts';
import { loginCredentials } from '../../../src/domain/credentials.ts';
import type { FetchedPage } from '../../../src/domain/fetch-result.ts';
import type { PageAction } from '../../../src/domain/page-action.ts';
import type { Scraper } from '../../../src/ports/scraper.ts';
import { readActions } from '../../../src/wire/request/page-actions.ts';
import type { Problems } from '../../../src/wire/schema/problems.ts';
import { type JobChange, jobFor, orderFor, textOf } from '../../contracts/fetch-order.ts';
import { browserScraper } from './kit.ts';
import { type LogInSite, startLogInSite, USER } from './log-in-site.ts';
import { chromiums } from './stage.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

function actionsOf(actions: readonly Readonly<Record<string, unknown>>[]): readonly PageAction[] {
  const problems: Problems = [];
  const budget = { pageWaitMs: 0, timeoutMs: 60_000, usableMs: 60_000 };
  const read = readActions(actions, actions, budget, problems);
  assert.deepEqual(problems, []);
  return read;
}

const LOGIN = { type: 'login', profile: 'ann' };
const title = { type: 'evaluate', script: 'document.title' };

describe('the action login', { skip }, () => {
  let scraper: Scraper;
  let site: LogInSite;
  let sitesOfProfile: readonly string[] = [];
  const closers: (() => Promise<void>)[] = [];
  before(async () => {
    const closing = { after: (close: unknown) => void closers.push(close as () => Promise<void>) };
    const openLogin = async () => loginCredentials(USER, sitesOfProfile);
    scraper = await browserScraper(closing as never, undefined, null, { openLogin });
    site = await startLogInSite();
  });
  after(async () => {
    for (const close of closers) await close();
    await site[Symbol.asyncDispose]();
  });

  async function run(
    path: string,
    actions: readonly Readonly<Record<string, unknown>>[] = [LOGIN],
    change: JobChange = {},
    sites: readonly string[] = ['127.0.0.1'],
  ): Promise<FetchedPage> {
    using deadline = deadlineOf(60_000);
    const job = jobFor(site.url + path, {
      ...change,
      scraper: 'browser',
      browser: { ...change.browser, pageActions: actionsOf(actions) },
    });
    sitesOfProfile = sites;
    site.sent.length = 0;
    const fetched = await scraper.fetch(orderFor(job, deadline));
    assert.ok(fetched.page !== null, JSON.stringify(fetched.failure));
    return fetched as FetchedPage;
  }

  const outcomes = ({ page }: FetchedPage) =>
    page.actions!.map(({ status, result, error }) =>
      status === 'ok' ? (result ?? 'ok') : (error?.code ?? status),
    );
  const messages = ({ page }: FetchedPage) =>
    (page.missingParts ?? []).map(({ message }) => message).join('\n');

  /** Nothing of the result has a secret. */
  function isClean(fetched: FetchedPage): void {
    const { page, ...facts } = fetched;
    const { body, screenshot, ...rest } = page;
    const told = JSON.stringify({ ...facts, ...rest }) + Buffer.from(body).toString();
    for (const secret of [
      USER.password,
      JSON.stringify(USER.password).slice(1, -1),
      encodeURIComponent(USER.password),
      new URLSearchParams({ s: USER.password }).toString().slice(2),
      Buffer.from(USER.password).toString('base64'),
      USER.totpSeed,
      ...site.sent.flatMap(({ c }) => c ?? []),
    ])
      assert.ok(!told.includes(secret), `${secret} in ${told.slice(0, 3_000)}`);
  }

  test('fills user name and password, and sends them once', async () => {
    const fetched = await run('/one', [LOGIN, title]);
    assert.deepEqual(outcomes(fetched), [{ steps: ['username', 'password'] }, 'Log in'], messages(fetched));
    assert.match(textOf(fetched), /Welcome, Ann/);
    assert.deepEqual(site.sent, [{ user: USER.username, password: USER.password }]);
    isClean(fetched);
  });

  test('goes from user name to password to code', async () => {
    const fetched = await run('/steps');
    assert.deepEqual(outcomes(fetched), [{ steps: ['username', 'password', 'code'] }], messages(fetched));
    assert.match(textOf(fetched), /Welcome, Ann/);
    isClean(fetched);
  });

  test('works in an application that stays in its document, with boxes for digits', async () => {
    const capture = [{ url: '**', method: null, resourceType: null, body: true }];
    const fetched = await run('/app', [LOGIN, title, { type: 'reload' }, title], { options: { capture } });
    assert.deepEqual(
      outcomes(fetched),
      [{ steps: ['username', 'password', 'code'] }, 'action.refused', 'skipped', 'skipped'],
      messages(fetched),
    );
    assert.match(textOf(fetched), /Welcome, Ann/);
    const { network } = fetched.page;
    assert.ok(
      network!.some(({ body }) => body?.text?.includes('"password":"***"')),
      JSON.stringify(network),
    );
    isClean(fetched);
  });

  test('after the next document, scripts run again', async () => {
    const fetched = await run('/app', [LOGIN, { type: 'reload' }, title]);
    assert.deepEqual(outcomes(fetched).slice(2), ['Log in'], messages(fetched));
  });

  test('a refused password is sent once, and is in no part of the answer', async () => {
    const full = { type: 'screenshot', full_page: true };
    const fetched = await run('/refuses', [
      { ...LOGIN, on_error: 'continue' },
      { ...title, on_error: 'continue' },
      { type: 'extract', schema: { said: 'p' } },
      full,
    ]);
    assert.equal(site.sent.length, 1);
    const [login, , extracted] = outcomes(fetched);
    assert.equal(login, 'login.failed');
    assert.match(messages(fetched), /still asks for the user name after it was sent: it was refused/);
    assert.deepEqual(extracted, { said: 'Not right: ***' });
    assert.match(textOf(fetched), /Not right: \*\*\*/);
    isClean(fetched);
  });

  test('a password in a URL is masked', async () => {
    const fetched = await run('/by-get');
    assert.match(textOf(fetched), /Welcome, Ann/);
    assert.match(fetched.page.finalUrl, /password=\*\*\*/);
    isClean(fetched);
  });

  test('types into frames of the sites of the profile alone', async () => {
    const elsewhere = await run('/elsewhere', [{ ...LOGIN, timeout_ms: 4_000 }]);
    assert.deepEqual(outcomes(elsewhere), ['login.failed']);
    assert.match(
      messages(elsewhere),
      /asks for a password at http:\/\/localhost:\d+, and the profile is for 127\.0\.0\.1/,
    );
    assert.deepEqual(site.sent, []);
    const other = await run('/one', [{ ...LOGIN, timeout_ms: 4_000 }], {}, ['example.com']);
    assert.deepEqual(outcomes(other), ['login.failed']);
    assert.deepEqual(site.sent, []);
    const framed = await run('/framed', [LOGIN]);
    assert.deepEqual(outcomes(framed), [{ steps: ['username', 'password'] }], messages(framed));
    const allowed = await run('/elsewhere', [LOGIN], {}, ['localhost']);
    assert.deepEqual(outcomes(allowed), [{ steps: ['username', 'password'] }], messages(allowed));
  });

  test('is refused where a script of the caller has run', async () => {
    const fetched = await run('/one', [title, { ...LOGIN, on_error: 'continue' }, { type: 'reload' }, LOGIN]);
    assert.deepEqual(
      outcomes(fetched).map((outcome, n) => (n === 2 ? '' : outcome)),
      ['Log in', 'action.refused', '', { steps: ['username', 'password'] }],
    );
  });

  test('pictures of what was typed are blank', async () => {
    const picture = { type: 'screenshot' };
    const fetched = await run('/app', [picture, LOGIN, picture, { type: 'screenshot', selector: '#app' }], {
      browser: { screenshot: true },
    });
    assert.match(textOf(fetched), /Welcome, Ann/);
    const sizes = fetched.page.actions!.flatMap(({ screenshot }) => screenshot?.bytes.length ?? []);
    const [before, ...blank] = [...sizes, fetched.page.screenshot!.bytes.length];
    assert.equal(blank.length, 3);
    // A white picture of the viewport is a few kilobytes.
    assert.deepEqual(new Set(blank).size, 1);
    assert.ok(before! > blank[0]!, `${before} ${blank}`);
  });

  test('without a field it fails, or is skipped if it is optional', async () => {
    const failing = await run('/none', [{ ...LOGIN, timeout_ms: 1_000 }]);
    assert.deepEqual(outcomes(failing), ['login.failed']);
    assert.match(messages(failing), /no field for a user name or a password is visible/);
    const optional = await run('/none', [{ ...LOGIN, timeout_ms: 1_000, optional: true }]);
    assert.deepEqual(outcomes(optional), ['skipped']);
  });
});
