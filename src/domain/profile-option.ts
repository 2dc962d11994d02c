import { Type } from 'typebox';
import { closed } from './json-schema.ts';
import { BROWSERS, HTTP_CLIENTS, parsedOption, taskValue } from './option.ts';
import { PROFILE_NAME_PATTERN } from './profiles.ts';

/** The profile that a request asks for. */
export interface AskedProfile {
  readonly name: string;
  /** Whether what the site renewed is kept after a good page. */
  readonly save: 'never' | 'on_success';
  /** Whether a page that asks to log in is answered by a log-in with the credentials of the profile. */
  readonly relogin: boolean;
}

/** What in a request asks to log in again. */
export const RELOGIN_POINTER = '/scraper_options/profile/relogin';

const NAME = Type.String({
  pattern: PROFILE_NAME_PATTERN,
  description: 'must be the name of a profile',
});

/** The row `profile` of the options. Its values are added by the pipeline, so no request and no record has them. */
export const PROFILE_OPTION = parsedOption({
  schema: Type.Union([
    NAME,
    closed({
      name: NAME,
      save: Type.Optional(
        Type.Enum(['never', 'on_success'], {
          default: 'on_success',
          description: 'Whether cookies and storage that the site renews are kept after a good page.',
        }),
      ),
      relogin: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'If the site asks to log in, log in with the credentials of the profile, once, in a browser, and ask for the page again.',
        }),
      ),
    }),
  ]),
  default: taskValue<AskedProfile | null>(null),
  description:
    'A profile, by its name or as an object: cookies, localStorage and IndexedDB that are kept under a name. HTTP clients use its cookies alone. The key needs the scope `profiles`.',
  honouredBy: { scrapers: [...HTTP_CLIENTS.scrapers, ...BROWSERS.scrapers], drivers: ['playwright'] },
});
