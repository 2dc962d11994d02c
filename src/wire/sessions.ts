import { Type } from 'typebox';
import type { SessionRow } from '../domain/account.ts';
import { closed, orNull } from '../domain/json-schema.ts';
import { Password, User } from './accounts.ts';
import { formatDateTime } from './date-time.ts';
import { bodyParser } from './schema/body-parser.ts';

const Email = Type.String({ minLength: 1, maxLength: 254 });
/** One that was set once may break today's rule for new ones, and is only compared. */
const GivenPassword = Type.String({ minLength: 1, maxLength: 1024 });
const Token = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The part of the link after `#`.',
});
const Time = Type.String({ format: 'date-time' });

export const SignIn = closed({ email: Email, password: GivenPassword }, { title: 'SignIn' });
export const PasswordChange = closed(
  { current_password: GivenPassword, new_password: Password },
  { title: 'PasswordChange' },
);
export const SetUpLinkCheck = closed({ token: Token }, { title: 'SetUpLinkCheck' });
export const SetUp = closed({ token: Token, password: Password }, { title: 'SetUp' });

export const SetUpLink = closed(
  { email: Type.String({ description: 'User whose password the link sets.' }), expires_at: Time },
  { title: 'SetUpLink' },
);
export const SessionEntry = closed(
  {
    id: Type.String({ format: 'uuid' }),
    created_at: Time,
    last_seen_at: Type.String({ format: 'date-time', description: 'Accurate to about a minute.' }),
    expires_at: Type.String({
      format: 'date-time',
      description: 'When the session expires if it is not used.',
    }),
    current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
    ip: orNull(Type.String(), { description: 'IP address at sign-in.' }),
    user_agent: orNull(Type.String(), { description: 'User agent at sign-in.' }),
  },
  { title: 'SessionEntry' },
);
export const Session = closed({ user: User, session: SessionEntry }, { title: 'Session' });
export const SessionList = closed({ items: Type.Array(SessionEntry) }, { title: 'SessionList' });

/** Body of `POST /api/v1/session/`. */
export const parseSignIn = bodyParser(SignIn, (body) => body as { email: string; password: string });
/** Body of `POST /api/v1/session/password/`. Whether the new one will do, the core tells. */
export const parsePasswordChange = bodyParser(PasswordChange, (body) => ({
  current: body.current_password as string,
  next: body.new_password as string,
}));
/** Body of `POST /api/v1/session/link/`. */
export const parseSetUpLinkCheck = bodyParser(SetUpLinkCheck, (body) => body as { token: string });
/** Body of `POST /api/v1/session/set-up/`. */
export const parseSetUp = bodyParser(SetUp, (body) => body as { token: string; password: string });

export interface SessionStatus {
  /** ms since the epoch, as the other. */
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  /** It is the one that asks. */
  readonly current: boolean;
}

export function sessionEntry(facts: Omit<SessionRow, 'hash'>, moment: SessionStatus) {
  return {
    id: facts.id,
    created_at: formatDateTime(facts.createdAt),
    last_seen_at: formatDateTime(moment.lastSeenAt),
    expires_at: formatDateTime(moment.expiresAt),
    current: moment.current,
    ip: facts.ip,
    user_agent: facts.userAgent,
  };
}

/** A set-up link that is good. @param expiresAt ms since the epoch */
export function setUpLinkObject(email: string, expiresAt: number) {
  return { email, expires_at: formatDateTime(expiresAt) };
}

/** A link that was made just now. */
export function userLinkObject(link: { readonly url: string; readonly expiresAt: number }) {
  return { url: link.url, expires_at: formatDateTime(link.expiresAt) };
}
