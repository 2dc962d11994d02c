import type { Clock } from '../base/time.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Mailer, MailMessage, MailProblem } from '../ports/mail.ts';
import type { WebhookAnswer, WebhookSender } from '../ports/webhooks.ts';
import { firecrawlSignature, signatureHeaders } from './signature.ts';
import { mailAddresses, type WebhookSpec } from './webhook-spec.ts';
import type { Webhooks } from './webhooks.ts';

/** A mail without its recipients. */
export type MailBody = Omit<MailMessage, 'to'>;

export interface Message {
  readonly spec: WebhookSpec;
  readonly userId: string;
  /** The same for each try. */
  readonly id: string;
  /** Of `email` a text, of all other formats JSON. */
  readonly body: Buffer | MailBody;
}

/** `mailed`: the mail server has accepted it. */
export type MessageEnd = WebhookAnswer | Failure | MailProblem | 'mailed';

/** Sends one message once, in the form of its webhook or channel. */
export interface Messenger {
  /** Never rejects because of the receiver. */
  send(message: Message, signal: AbortSignal): Promise<MessageEnd>;
}

export interface MessengerDeps {
  readonly webhooks: Pick<Webhooks, 'secrets'>;
  readonly sender: Pick<WebhookSender, 'send'>;
  /** null: no mail server is configured. */
  readonly mailer: Mailer | null;
  readonly userAgent: string;
  readonly clock: Clock;
}

const NO_MAIL = failure('service.unavailable', 'No mail server is configured (SLUICE_SMTP_URL).');

export function createMessenger({ webhooks, sender, mailer, userAgent, clock }: MessengerDeps): Messenger {
  async function signatures({ spec, userId, id }: Message, body: Buffer) {
    // Slack does not check who sends: the URL is the secret.
    if (spec.format === 'slack') return [];
    const { secret, previous } = await webhooks.secrets(userId);
    const secrets = previous === null ? [secret] : [secret, previous];
    const signed = signatureHeaders(id, clock.now(), body, secrets);
    return spec.format === 'firecrawl' ? [...signed, firecrawlSignature(body, secret)] : signed;
  }

  function ownHeaders({ headers }: WebhookSpec): readonly (readonly [string, string])[] {
    const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
    const defaults = [
      ['content-type', 'application/json'],
      ['user-agent', userAgent],
    ] as const;
    return [...defaults.filter(([name]) => !names.has(name)), ...Object.entries(headers)];
  }

  return {
    async send(message, signal) {
      const { spec, body } = message;
      if (!Buffer.isBuffer(body)) {
        if (mailer === null) return NO_MAIL;
        return (await mailer.send({ to: mailAddresses(spec), ...body }, signal)) ?? 'mailed';
      }
      const headers = [...ownHeaders(spec), ...(await signatures(message, body))];
      return await sender.send({ url: spec.url, headers, body }, signal);
    },
  };
}
