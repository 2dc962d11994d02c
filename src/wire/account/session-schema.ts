import { Type } from 'typebox';
import { closed, orNull } from '../schema/build.ts';
import { Password, User } from './account-schema.ts';

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
