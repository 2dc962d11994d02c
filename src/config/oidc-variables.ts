import { ROLES, type Role } from '../domain/account.ts';
import {
  baseUrl,
  flag,
  invalid,
  matching,
  optionalVariable,
  type ParsedVariable,
  quoteInput,
  secretText,
  valid,
  variable,
} from './parsers.ts';

const NAME = /^[\x21-\x7e]{1,200}$/;

/** The OpenID provider by which people can sign in. Its first three are set, or none. */
export const OIDC_VARIABLES = {
  oidcIssuer: optionalVariable({
    name: 'SLUICE_OIDC_ISSUER',
    fallbackText: 'sign-in by password alone',
    doc: 'Issuer of an OpenID Connect provider, such as `https://login.example.com/realms/main`: people sign in to the dashboard there. Its redirect URI is `<SLUICE_BASE_URL>/api/v1/session/oidc/callback/`. It is called directly: the address policy and the proxies of scrapes do not apply. `http` only on this machine. See [teams](guides/teams.md#single-sign-on).',
    parse: issuer,
  }),
  oidcClientId: optionalVariable({
    name: 'SLUICE_OIDC_CLIENT_ID',
    doc: 'Client ID of Sluice at the provider.',
    parse: matching(NAME, 'visible ASCII characters'),
  }),
  oidcClientSecret: optionalVariable({
    name: 'SLUICE_OIDC_CLIENT_SECRET',
    doc: 'Secret of this client.',
    secret: true,
    parse: secretText(1, 1000, /^[\x20-\x7e]+$/, 'printable ASCII characters'),
  }),
  oidcScopes: variable({
    name: 'SLUICE_OIDC_SCOPES',
    fallback: 'openid email profile',
    doc: 'Scopes that are requested, separated by spaces. `openid` and `email` are needed.',
    parse: scopes,
  }),
  oidcName: variable({
    name: 'SLUICE_OIDC_NAME',
    fallback: 'OpenID Connect',
    doc: 'Name of the provider on the sign-in page: “Sign in with …”.',
    parse: (text) =>
      text.length > 60 || /\p{Cc}/u.test(text)
        ? invalid('must be a line of at most 60 characters')
        : valid(text),
  }),
  oidcSignUp: variable({
    name: 'SLUICE_OIDC_SIGN_UP',
    fallback: false,
    doc: 'If true, somebody without a user gets one at the first sign-in by the provider. If false, only users can sign in, also invited ones.',
    parse: flag,
  }),
  oidcRoleClaim: optionalVariable({
    name: 'SLUICE_OIDC_ROLE_CLAIM',
    fallbackText: 'administrators set roles',
    doc: 'Claim with the role of the user, a text or a list, such as `groups`. At each sign-in by the provider, the user gets this role; without one, the sign-in is refused. The last administrator keeps the role.',
    parse: matching(NAME, 'the name of a claim such as groups'),
  }),
  oidcRoles: optionalVariable({
    name: 'SLUICE_OIDC_ROLES',
    fallbackText: 'the values are `admin`, `user` and `viewer`',
    doc: 'Roles by value of this claim, comma-separated: `sluice-admins=admin,staff=user`. The first value that the claim has decides.',
    parse: roles,
  }),
};

/** A value of the role claim, and the role that it gives. */
export interface OidcRole {
  readonly value: string;
  readonly role: Role;
}

function issuer(text: string): ParsedVariable<string> {
  const parsed = baseUrl(text);
  if (parsed.problem !== null) return parsed;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || isLoopback(hostname)
    ? // A final slash is a part of the issuer.
      valid(text)
    : invalid(`must be an https URL, or an http URL of this machine; got ${quoteInput(text)}`);
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

function scopes(text: string): ParsedVariable<string> {
  const names = text.split(/ +/);
  // RFC 6749 §3.3.
  return names.every((name) => /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(name)) && names.includes('openid')
    ? valid(names.join(' '))
    : invalid(`must be scopes separated by spaces, with openid; got ${quoteInput(text)}`);
}

function roles(text: string): ParsedVariable<readonly OidcRole[]> {
  const found: OidcRole[] = [];
  for (const item of text.split(',')) {
    const entry = item.trim();
    // The value may contain `=`, as names of LDAP groups do.
    const equals = entry.lastIndexOf('=');
    const role = ROLES.find((name) => name === entry.slice(equals + 1).trim());
    const value = entry.slice(0, Math.max(0, equals)).trim();
    if (role === undefined || value === '')
      return invalid(`must contain value=role with one of ${ROLES.join(', ')}; got ${quoteInput(item)}`);
    found.push(Object.freeze({ value, role }));
  }
  return valid(Object.freeze(found));
}
