export interface MailMessage {
  /** Addresses. Each recipient sees the others. */
  readonly to: readonly string[];
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /** The same as HTML; absent: there is only the text. */
  readonly html?: string;
  /** Pictures that the HTML shows, as `cid:…`. */
  readonly pictures?: readonly MailPicture[];
}

export interface MailPicture {
  /** After `cid:` in the HTML. */
  readonly cid: string;
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Why a message was not sent. */
export interface MailProblem {
  /** A sentence, without secrets. */
  readonly message: string;
  /** The server refuses it, and would again: another attempt is useless. */
  readonly isFinal: boolean;
}

/**
 * Sends mail through the operator's server. Every implementation guarantees: `send` never rejects, and settles at the latest 1 s
 * after the signal has aborted; a password is sent only over TLS, or to this machine.
 */
export interface Mailer {
  /** @returns null: the server has accepted the message for all recipients */
  send(message: MailMessage, signal: AbortSignal): Promise<MailProblem | null>;
}
