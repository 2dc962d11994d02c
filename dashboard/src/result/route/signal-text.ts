import { t } from '@lingui/core/macro';

/** Makers of protection whose names are not the first part of their signals in capitals: `ddos-guard` would be Ddos Guard. */
const MAKERS: Readonly<Record<string, string>> = {
  aliyun: 'Alibaba Cloud',
  'aws-waf': 'AWS WAF',
  bitninja: 'BitNinja',
  cloudfront: 'CloudFront',
  crowdsec: 'CrowdSec',
  datadome: 'DataDome',
  'ddos-guard': 'DDoS-Guard',
  fortiweb: 'FortiWeb',
  godaddy: 'GoDaddy',
  haproxy: 'HAProxy',
  human: 'HUMAN',
  linkedin: 'LinkedIn',
  'mod-security': 'ModSecurity',
  perimeterx: 'PerimeterX',
  safeline: 'SafeLine',
  siteground: 'SiteGround',
  stackpath: 'StackPath',
};

const makerOf = (family: string): string =>
  MAKERS[family] ?? family.replaceAll(/(?:^|-)\w/g, (begin) => begin.replace('-', ' ').toUpperCase());

/** What a signal without a maker says, by the begin of its name. */
const MEANINGS: Readonly<Record<string, string>> = {
  'phrase/blocked-redirect': t`It led to an address of block pages`,
  'phrase/access-denied': t`The title says that access is denied`,
  'phrase/captcha': t`It asks to solve a captcha`,
  'phrase/checking-browser': t`It says that the browser is being checked`,
  'phrase/no-database': t`It says that a database does not answer`,
  'phrase/refused': t`It says that access is refused`,
  'phrase/server-error': t`It is an error page of the server`,
  'phrase/soft-block': t`It says that the visit looks automatic`,
  'phrase/too-many-requests': t`It says that there were too many requests`,
  'words/captcha': t`It asks to solve a captcha`,
  'words/checking-browser': t`It says that the browser is being checked`,
  'words/geo': t`It says that it is not available in this country`,
  'words/login': t`It asks to sign in`,
  'words/refused': t`It says that access is refused`,
  'words/soft-block': t`It says that the visit looks automatic`,
  'words/too-many-requests': t`It says that there were too many requests`,
  'firewall/server-name': t`It comes from a firewall`,
  'queue/': t`It is a queue before the page`,
  'script/sets-cookie': t`A script sets a cookie and loads the page again`,
  'script/refuses': t`A script refuses the visit without a word`,
  'shell/': t`It is empty until its scripts have run`,
  'status/bare-403': t`It says nothing but that access is forbidden`,
  'text/same': t`Two scrapers got the same text`,
  'nothing-shown': t`It shows nothing`,
  'wall/age': t`It asks for the age`,
  'wall/consent': t`It asks for consent`,
  'wall/cookies': t`It demands cookies`,
  'wall/geo': t`It says that it is not available in this country`,
  'wall/login': t`It asks to sign in`,
};

/** What a signal of a verdict says (`wall/age-page`, `cloudflare/challenge-page`); null: nothing more. */
export function signalText(signal: string): string | null {
  const begin = Object.keys(MEANINGS).find((name) => signal.startsWith(name));
  if (begin !== undefined) return MEANINGS[begin]!;
  const [family, page] = signal.split('/');
  return page === undefined ? null : t`A page of ${makerOf(family!)}`;
}
