import { getCACertificates } from 'node:tls';
import type SMTPTransport from 'nodemailer/lib/smtp-transport';
import { deadlineUnder } from '../../base/time.ts';
import type { SmtpServer } from '../../domain/smtp-server.ts';
import type { Mailer, MailProblem } from '../../ports/mail.ts';

interface SmtpMailerOptions {
  readonly server: SmtpServer;
  /** Sender: `name@host` or `Name <name@host>`. */
  readonly from: string;
  /** Certificates (PEM) trusted besides the authorities of Node; null: none. */
  readonly ca: string | null;
}

const SEND_MS = 15_000;

/** A connection for each message: messages are rare. */
export function createSmtpMailer({ server, from, ca }: SmtpMailerOptions): Mailer {
  const { host, port, isTls, login } = server;
  const options: SMTPTransport.Options = {
    host,
    port,
    secure: isTls,
    // A password never crosses the network unencrypted.
    requireTLS: !isTls && login !== null && !isLoopback(host),
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password }, forceAuth: true }),
    ...(ca === null ? {} : { tls: { ca: [...getCACertificates('default'), ca] } }),
    // The mail has only what is given here: no file and no URL is read.
    disableFileAccess: true,
    disableUrlAccess: true,
    socketCloseTimeout: 0,
  };
  return {
    async send({ to, subject, text, html, pictures = [] }, outer) {
      // Imported here, because most services send no mail.
      const { createTransport } = await import('nodemailer');
      using deadline = deadlineUnder(SEND_MS, outer);
      const { signal } = deadline;
      try {
        const { rejected } = await createTransport(options).sendMail({
          from,
          // As objects, because nodemailer would read several addresses from a text with a comma.
          to: to.map((address) => ({ name: '', address })),
          subject,
          text,
          ...(html === undefined ? {} : { html }),
          attachments: pictures.map(({ cid, name, type, bytes }) => ({
            cid,
            filename: name,
            contentType: type,
            content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
            contentDisposition: 'inline' as const,
          })),
          signal,
        });
        return rejected.length === 0
          ? null
          : { message: `The mail server refuses ${rejected.join(', ')}.`, isFinal: true };
      } catch (error) {
        if (signal.aborted) return { message: 'The mail server did not answer in time.', isFinal: false };
        return problemOf(error as SmtpError, server);
      }
    },
  };
}

interface SmtpError extends Error {
  /** Such as `EAUTH`, `ECONNREFUSED`. */
  readonly code?: string;
  readonly responseCode?: number;
  /** The answer of the server, with its code. */
  readonly response?: string;
}

const MAX_ANSWER_LENGTH = 300;

/** Not final, because the operator can mend them: login and TLS. */
const OF_SETTINGS: readonly (string | undefined)[] = ['EAUTH', 'ETLS'];

function problemOf(error: SmtpError, { host, port }: SmtpServer): MailProblem {
  const { code, response, responseCode, message } = error;
  // RFC 5321 §4.2.1: 5xx is final.
  const isFinal = responseCode !== undefined && responseCode >= 500 && !OF_SETTINGS.includes(code);
  if (response === undefined)
    return { message: `The mail server ${host}:${port} cannot be used: ${message}.`, isFinal };
  const answer = response.slice(0, MAX_ANSWER_LENGTH);
  return code === 'ETLS'
    ? { message: `The mail server does not begin TLS (STARTTLS): ${answer}`, isFinal }
    : { message: `The mail server answered: ${answer}`, isFinal };
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
