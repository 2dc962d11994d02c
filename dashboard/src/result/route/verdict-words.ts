import type { Schema } from '../../api/client.ts';

type Kind = NonNullable<Schema<'Attempt'>['verdict']>;

/** What each verdict says about the response. */
const WORDS: Readonly<Record<Kind, string>> = {
  ok: 'looks like the real page',
  js_shell: 'an empty page that needs JavaScript',
  challenge: 'a bot challenge instead of the page',
  captcha: 'a captcha instead of the page',
  block: 'an access-denied page instead of the page',
  wall: 'a login, consent or location page instead of the page',
  rate: 'the site limits the rate (too many requests)',
  error_page: 'an error page',
  net: 'no response',
  empty: 'an empty page',
};

export const verdictWords = (kind: Kind): string => WORDS[kind];
