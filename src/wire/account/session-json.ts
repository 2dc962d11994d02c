import type { SessionRow } from '../../domain/account.ts';
import { timeText } from '../record/time-text.ts';

export interface SessionMoment {
  /** ms since the epoch, as the other. */
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  /** It is the one that asks. */
  readonly current: boolean;
}

export function sessionEntry(facts: Omit<SessionRow, 'hash'>, moment: SessionMoment) {
  return {
    id: facts.id,
    created_at: timeText(facts.createdAt),
    last_seen_at: timeText(moment.lastSeenAt),
    expires_at: timeText(moment.expiresAt),
    current: moment.current,
    ip: facts.ip,
    user_agent: facts.userAgent,
  };
}

/** A set-up link that is good. @param expiresAt ms since the epoch */
export function setUpLinkObject(email: string, expiresAt: number) {
  return { email, expires_at: timeText(expiresAt) };
}

/** A link that was made just now. */
export function userLinkObject(
  baseUrl: string,
  link: { readonly token: string; readonly expiresAt: number },
) {
  return { url: setUpUrl(baseUrl, link.token), expires_at: timeText(link.expiresAt) };
}

/** The page that takes the new password. A fragment stands in no log, and is sent to nobody. */
export function setUpUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/set-up#${token}`;
}
