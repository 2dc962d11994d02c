import { parseSmtpUrl, type SmtpServer } from '../domain/smtp-server.ts';
import { email, invalid, optionalVariable, type ParsedVariable, quoteInput, valid } from './parsers.ts';

/** The mail server. Both are set, or none. */
export const SMTP_VARIABLES = {
  smtpServer: optionalVariable({
    name: 'SLUICE_SMTP_URL',
    fallbackText: 'no mail is sent',
    doc: 'Mail server for alerts and invitations: `smtp://user:password@host:587`, or `smtps://…:465` for TLS from the start. With `smtp`, STARTTLS is used if the server offers it, and must be there for a password, unless the server is on this machine. It is called directly: the address policy and the proxies of scrapes do not apply.',
    secret: true,
    parse: smtpServer,
  }),
  smtpFrom: optionalVariable({
    name: 'SLUICE_SMTP_FROM',
    doc: 'Sender of mail, with `SLUICE_SMTP_URL`: `sluice@example.com`, or `Sluice <sluice@example.com>`.',
    parse: mailSender,
  }),
} as const;

/** URL of a mail server. It may contain a password, so messages do not show it. */
function smtpServer(text: string): ParsedVariable<SmtpServer> {
  const server = parseSmtpUrl(text);
  return typeof server === 'string' ? invalid(server) : valid(server);
}

/** `name@host`, or `Name <name@host>`. */
function mailSender(text: string): ParsedVariable<string> {
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  return email(address).problem === null
    ? valid(text)
    : invalid(
        `must be an address such as sluice@example.com or Sluice <sluice@example.com>; got ${quoteInput(text)}`,
      );
}
