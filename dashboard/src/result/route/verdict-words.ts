import type { Schema } from '../../api/types.ts';

type Kind = NonNullable<Schema<'Attempt'>['verdict']>;

/** What each verdict says of the page that came. */
const WORDS: Readonly<Record<Kind, string>> = {
  ok: 'the page',
  js_shell: 'an empty shell that needs scripts',
  challenge: 'a challenge instead of the page',
  captcha: 'a captcha instead of the page',
  block: 'a block instead of the page',
  wall: 'a wall before the page',
  rate: 'too many requests',
  error_page: 'an error page',
  net: 'no page came',
  empty: 'an empty page',
};

export const verdictWords = (kind: Kind): string => WORDS[kind];
