import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TlsFailureReason } from '../../src/http-client/tls.ts';
import { DATA } from '../egress/conformance.ts';

/** What is to be made of a chain at any time when its certificates are in force. */
export interface ChainRow {
  readonly file: string;
  /** The host of the URL. */
  readonly host: string;
  readonly expect: 'valid' | TlsFailureReason;
  readonly why: string;
  /** Neither is it read without verification. */
  readonly never?: boolean;
}

const SITE = 'site.badssl.test';
const row = (
  file: string,
  expect: ChainRow['expect'],
  why: string,
  more: Partial<ChainRow> = {},
): ChainRow => {
  const own = /^subdomain-(.*)$/.exec(file);
  const host = own === null ? SITE : `${own[1]}.badssl.test`;
  return { file: `${file}.pem`, host, expect, why, ...more };
};

const NO_CT =
  'certificate transparency is a rule of browsers for their own roots; a root of the operator has no logs';
const NOT_REVOKED = 'no certificate names a place to ask about revocation, and none is asked; as curl';
const ONLY_CHROME =
  'browsers hold a list of such keys; the chain itself is in order and its root is trusted here';
const UNKNOWN =
  'the issuer is not sent and not trusted: what such software puts into a machine is not in ours';
const STRONG = 'a strong key, signed with a strong digest, by the trusted root';

/** Every chain of badssl.com, with its root trusted, and why it is expected to be what it is. */
export const CHAINS: readonly ChainRow[] = [
  row('wildcard-rsa2048', 'valid', STRONG),
  row('wildcard-rsa3072', 'valid', STRONG),
  row('wildcard-rsa4096', 'valid', STRONG),
  row('wildcard-rsa8192', 'valid', STRONG),
  row('wildcard-ecc256', 'valid', STRONG),
  row('wildcard-ecc384', 'valid', STRONG),
  row('wildcard-sha384', 'valid', STRONG),
  row('wildcard-sha512', 'valid', STRONG),
  row('wildcard-expired', 'valid', 'valid until its notAfter, which is looked at as for all chains'),
  row('wildcard-rsa1024', 'weak', 'RSA under 2,048 bits is below 112 bits of security (NIST SP 800-57)'),
  row(
    'wildcard-rsa512',
    'weak',
    'too short a key for any signature of TLS 1.2 or 1.3: the server itself gives up',
    {
      never: true,
    },
  ),
  row('wildcard-md5', 'weak', 'collisions are cheap; RFC 6151'),
  row('wildcard-sha1-2016', 'weak', 'SHA-1 in a leaf; RFC 9155, as browsers since 2017'),
  row('wildcard-sha1-2017', 'weak', 'SHA-1 in a leaf; RFC 9155, as browsers since 2017'),
  row('wildcard-sha1-intermediate', 'weak', 'a chain is as strong as its weakest signature'),
  row('wildcard-self-signed', 'self_signed', 'its own issuer, and not among the trusted'),
  row('wildcard-untrusted-root', 'untrusted', 'ends in a root that is not among the trusted'),
  row(
    'wildcard-incomplete-chain',
    'untrusted',
    'the intermediate is missing; it is not fetched from elsewhere, as curl',
  ),
  row('fallback', 'untrusted', 'for those whom the server does not know: another name, and no intermediate', {
    host: SITE,
  }),
  row('subdomain-1000-sans', 'valid', 'a long list of names is allowed; 30 KB'),
  row(
    'subdomain-10000-sans',
    'other',
    'longer than the 100 KB that OpenSSL and BoringSSL take in: Chromium fails, too',
    {
      never: true,
    },
  ),
  row(
    'subdomain-no-subject',
    'valid',
    'the subject may be empty where there are alternative names (RFC 5280 §4.1.2.6)',
  ),
  row('subdomain-no-common-name', 'valid', 'names are read from the alternative names only (RFC 9525 §2)'),
  row(
    'subdomain-no-san',
    'hostname',
    'a common name is not a name (RFC 9525 §2); no browser takes it since 2017',
  ),
  row('subdomain-extended-validation', 'valid', 'nothing is made of extended validation'),
  row('subdomain-xn--n1aae7f7o', 'valid', 'a name of another script is its ASCII form'),
  row('subdomain-no-sct', 'valid', NO_CT),
  row('subdomain-invalid-expected-sct', 'valid', NO_CT),
  row('subdomain-preloaded-expect-ct', 'valid', NO_CT, { host: 'subdomain-preloaded-expect-ct.badssl.test' }),
  row('subdomain-revoked', 'valid', NOT_REVOKED),
  row('subdomain-known-interception', 'valid', ONLY_CHROME),
  row('subdomain-blocked-interception', 'valid', ONLY_CHROME),
  row('subdomain-captive-portal', 'valid', 'under its own name it is in order', {
    host: 'login.captive-portal.badssl.test',
  }),
  row(
    'subdomain-captive-portal',
    'hostname',
    'the portal shows its own certificate in the place of another host',
    {
      host: 'captive-portal.badssl.test',
    },
  ),
  row('subdomain-edellroot', 'untrusted', UNKNOWN),
  row('subdomain-superfish', 'untrusted', UNKNOWN),
  row('subdomain-dsdtestprovider', 'untrusted', UNKNOWN),
  row('subdomain-preact-cli', 'untrusted', UNKNOWN),
  row('subdomain-webpack-dev-server', 'untrusted', UNKNOWN),
  row('subdomain-mitm-software', 'untrusted', UNKNOWN),
  row(
    'subdomain-reversed-chain',
    'untrusted',
    'what is sent first is the certificate (RFC 8446 §4.4.2): an authority is no server',
  ),
  row('client-ca-root', 'untrusted', 'an authority for clients: not a server, and its root is not trusted', {
    host: SITE,
  }),
  row('client-ca-untrusted-root', 'untrusted', 'an authority for clients: not a server, and not trusted', {
    host: SITE,
  }),
];

/** Text of a file of the TLS data. */
export function tlsFile(...path: readonly string[]): string {
  return readFileSync(join(DATA!, 'tls', ...path), 'utf8');
}
