import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createSmtpMailer } from '../../../src/adapters/mail/smtp-mailer.ts';
import { parseSmtpUrl, type SmtpServer } from '../../../src/domain/smtp-server.ts';
import { createAuthority } from '../../helpers/certificates.ts';
import { type MailServer, type MailServerOptions, startMailServer } from '../../helpers/mail-server.ts';

const authority = createAuthority();
after(() => authority[Symbol.dispose]());
const tls = authority.issue({ names: 'DNS:localhost,IP:127.0.0.1' });
const LOGIN = { user: 'me@example.com', password: 'p@ss:w/rd%' };
const CREDENTIALS = `${encodeURIComponent(LOGIN.user)}:${encodeURIComponent(LOGIN.password)}@`;
const NEVER = new AbortController().signal;
const MAIL = { to: ['a@example.org', 'b@example.org'], subject: 'Grüße', text: 'Zeile 1: ä\n.\nEnd' };

const mailerTo = (url: string, ca: string | null = authority.cert) =>
  createSmtpMailer({ server: parseSmtpUrl(url) as SmtpServer, from: 'Sluice <sluice@example.com>', ca });

async function withServer(options: MailServerOptions, use: (server: MailServer) => Promise<void>) {
  await using server = await startMailServer(options);
  await use(server);
}

describe('a mailer', () => {
  it('sends by a server without TLS and without a login', () =>
    withServer({ noTls: true }, async ({ port, mails }) => {
      assert.equal(await mailerTo(`smtp://127.0.0.1:${port}`).send(MAIL, NEVER), null);
      const { text, ...envelope } = mails[0]!;
      assert.deepEqual(envelope, { from: 'sluice@example.com', to: MAIL.to, isTls: false, user: null });
      assert.match(text, /^From: Sluice <sluice@example\.com>\r$/m);
      assert.match(text, /Zeile 1: ä\r\n\.\r\nEnd/);
    }));

  it('uses STARTTLS, and TLS from the first byte, with a login', async () => {
    for (const secure of [false, true])
      await withServer({ tls, secure, login: LOGIN }, async ({ port, mails }) => {
        const url = `smtp${secure ? 's' : ''}://${CREDENTIALS}localhost:${port}/`;
        assert.equal(await mailerTo(url).send(MAIL, NEVER), null);
        assert.deepEqual([mails[0]?.isTls, mails[0]?.user], [true, LOGIN.user]);
      });
  });

  it('sends nothing to a server whose certificate is not trusted', () =>
    withServer({ tls }, async ({ port, mails }) => {
      const problem = await mailerTo(`smtp://127.0.0.1:${port}`, null).send(MAIL, NEVER);
      assert.match(problem!.message, /certificate/);
      assert.equal(problem!.isFinal, false);
      assert.equal(mails.length, 0);
    }));

  it('sends no password without TLS to another machine', () =>
    withServer({ noTls: true, login: LOGIN }, async ({ port, mails }) => {
      // This address of the same server is not known to be this machine.
      const problem = await mailerTo(`smtp://${CREDENTIALS}[::ffff:127.0.0.1]:${port}`).send(MAIL, NEVER);
      assert.match(problem!.message, /does not begin TLS/);
      assert.equal(problem!.isFinal, false);
      assert.equal(mails.length, 0);
      assert.equal(await mailerTo(`smtp://${CREDENTIALS}127.0.0.1:${port}`).send(MAIL, NEVER), null);
    }));

  it('says what the server refuses, and whether that is final', () =>
    withServer({ tls, login: LOGIN, unknown: ['a@example.org'] }, async ({ port }) => {
      const ok = `smtp://${CREDENTIALS}localhost:${port}`;
      const partly = await mailerTo(ok).send(MAIL, NEVER);
      assert.deepEqual(partly, { message: 'The mail server refuses a@example.org.', isFinal: true });
      const wholly = await mailerTo(ok).send({ ...MAIL, to: ['a@example.org'] }, NEVER);
      assert.match(wholly!.message, /^The mail server answered: 550 /);
      assert.equal(wholly!.isFinal, true);
      const login = await mailerTo(`smtp://me:wrong@localhost:${port}`).send(MAIL, NEVER);
      assert.match(login!.message, /^The mail server answered: 535 /);
      assert.equal(login!.isFinal, false);
    }));

  it('says that no server is there', async () => {
    const { port } = await startMailServer().then(async (server) => {
      await server[Symbol.asyncDispose]();
      return server;
    });
    const problem = await mailerTo(`smtp://127.0.0.1:${port}`).send(MAIL, NEVER);
    assert.match(problem!.message, /cannot be used: .*ECONNREFUSED/);
    assert.equal(problem!.isFinal, false);
  });

  it('ends with its signal', () =>
    withServer({ silent: true }, async ({ port }) => {
      const stop = new AbortController();
      const sending = mailerTo(`smtp://127.0.0.1:${port}`).send(MAIL, stop.signal);
      stop.abort();
      assert.deepEqual(await sending, { message: 'The mail server did not answer in time.', isFinal: false });
    }));
});

describe('parseSmtpUrl', () => {
  it('reads host, port, TLS and login', () => {
    assert.deepEqual(parseSmtpUrl('smtp://mail.example.com'), {
      host: 'mail.example.com',
      port: 587,
      isTls: false,
      login: null,
    });
    assert.deepEqual(parseSmtpUrl(`smtps://${CREDENTIALS}[::1]/`), {
      host: '::1',
      port: 465,
      isTls: true,
      login: LOGIN,
    });
  });

  it('refuses what it does not use, and shows no password', () => {
    for (const url of [
      'mail.example.com',
      'http://h',
      'smtp://',
      'smtp://h/x',
      'smtp://h?tls=no',
      'smtp://u@h',
    ]) {
      const problem = parseSmtpUrl(url);
      assert.equal(typeof problem, 'string', url);
      assert.match(problem as string, /must be a URL such as smtp:/);
    }
    assert.doesNotMatch(parseSmtpUrl('smtp://u:s3cret@h/x') as string, /s3cret/);
  });
});
