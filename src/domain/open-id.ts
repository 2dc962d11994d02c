/** Why a sign-in by OpenID Connect failed: the `error` of the sign-in page. Must be the same as in the dashboard. */
export const SIGN_IN_REFUSALS = [
  'cancelled',
  'disabled',
  'email_not_verified',
  'expired',
  'no_role',
  'no_user',
  'other_identity',
  'provider_failed',
  'provider_unavailable',
  'too_many',
] as const;
export type SignInRefusal = (typeof SIGN_IN_REFUSALS)[number];
