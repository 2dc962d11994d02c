import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import type { KeyPair } from './certificates.ts';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and text, with quoted-printable decoded. */
  readonly text: string;
  readonly isTls: boolean;
  readonly user: string | null;
}

export interface MailServerOptions {
  readonly tls?: KeyPair;
  /** TLS from the first byte instead of STARTTLS. */
  readonly secure?: boolean;
  /** Refuses STARTTLS. */
  readonly noTls?: boolean;
  readonly login?: { readonly user: string; readonly password: string };
  /** Recipients that do not exist. */
  readonly unknown?: readonly string[];
  /** Never answers. */
  readonly silent?: boolean;
}

export interface MailServer extends AsyncDisposable {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** Waits until `count` mails have arrived that contain the text. */
  received(text: string, count?: number): Promise<readonly ReceivedMail[]>;
}

/** A real SMTP server on 127.0.0.1. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const { login } = options;
  const server = new SMTPServer({
    ...options.tls,
    secure: options.secure === true,
    disabledCommands: [
      ...(options.noTls === true ? ['STARTTLS'] : []),
      ...(login === undefined ? ['AUTH'] : []),
    ],
    allowInsecureAuth: options.noTls === true,
    logger: false,
    onConnect: (_session, done) => {
      if (options.silent !== true) done();
    },
    onAuth({ username, password }, _session, done) {
      if (username === login?.user && password === login?.password) done(null, { user: username });
      else done(new Error('wrong password'));
    },
    onRcptTo({ address }, _session, done) {
      done(
        options.unknown?.includes(address)
          ? Object.assign(new Error('no such user'), { responseCode: 550 })
          : null,
      );
    },
    async onData(stream, { envelope, secure, user }, done) {
      const raw = Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)).toString();
      mails.push({
        from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
        to: envelope.rcptTo.map(({ address }) => address),
        text: decoded(raw),
        isTls: secure,
        user: (user as string | undefined) ?? null,
      });
      done();
    },
  });
  // A client that breaks a connection off is a part of some tests.
  server.on('error', () => {});
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  return {
    port,
    mails,
    async received(text, count = 1) {
      for (;;) {
        const found = mails.filter((mail) => mail.text.includes(text));
        if (found.length >= count) return found;
        await pause(20);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const connection of server.connections) connection.close();
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}

const decoded = (raw: string): string =>
  /^content-transfer-encoding: quoted-printable/im.test(raw)
    ? Buffer.from(
        raw
          .replace(/=\r\n/g, '')
          .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      ).toString()
    : raw;
