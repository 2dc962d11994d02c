import { parser } from './parse-account.ts';
import { PasswordChange, SetUp, SetUpLinkCheck, SignIn } from './session-schema.ts';

/** Body of `POST /api/v1/session/`. */
export const parseSignIn = parser(SignIn, (body) => body as { email: string; password: string });
/** Body of `POST /api/v1/session/password/`. Whether the new one will do, the core tells. */
export const parsePasswordChange = parser(PasswordChange, (body) => ({
  current: body.current_password as string,
  next: body.new_password as string,
}));
/** Body of `POST /api/v1/session/link/`. */
export const parseSetUpLinkCheck = parser(SetUpLinkCheck, (body) => body as { token: string });
/** Body of `POST /api/v1/session/set-up/`. */
export const parseSetUp = parser(SetUp, (body) => body as { token: string; password: string });
