import type { CommandSpec } from '../core/command.ts';
import { JSON_FLAG, LOCAL, OUTPUT } from '../core/flags.ts';

const NAME = ['NAME'];

/** `sluice profile …` */
export const PROFILE_COMMANDS: CommandSpec = {
  name: 'profile',
  summary: 'lists, shows and makes profiles: what scrapes are logged in with',
  verbs: [
    {
      name: 'list',
      summary: 'lists your profiles, and those that others share',
      flags: [JSON_FLAG, LOCAL],
      load: async () => (await import('./profiles.ts')).listProfiles,
    },
    {
      name: 'show',
      summary: 'shows a profile, without the values of its cookies',
      words: NAME,
      flags: [JSON_FLAG, LOCAL],
      load: async () => (await import('./profiles.ts')).showProfile,
    },
    {
      name: 'upload',
      summary: 'makes a profile of the cookies of your own browser, or of a file',
      words: NAME,
      flags: [
        {
          name: 'from',
          value: 'BROWSER|FILE',
          doc: 'chrome, chromium or firefox on this machine (Linux, macOS); or a file: a storage state of Playwright, cookies as an extension exports them (JSON), or a cookies.txt (Netscape); - is standard input.',
        },
        {
          name: 'domain',
          value: 'DOMAIN',
          many: true,
          doc: 'Only the cookies that pages of this domain and below get, such as example.com. Can be given several times; required for a browser.',
        },
        {
          name: 'browser-profile',
          value: 'NAME|FOLDER',
          doc: "The browser's own profile, such as 'Profile 1' (default: the one that was used last).",
        },
        {
          name: 'site',
          value: 'SITE',
          many: true,
          doc: 'A site that the profile is for. Can be given several times (default: the sites of the cookies).',
        },
        { name: 'replace', doc: 'If you have a profile of this name, its cookies and storage are replaced.' },
        { name: 'shared', doc: 'All users of the service may use the profile, but not change or export it.' },
        JSON_FLAG,
        LOCAL,
      ],
      notes: [
        'A browser may run meanwhile. It writes new cookies after up to half a minute, Firefox cookies that end with the session never. On Linux, the key of the cookies of Chrome is often in the keyring: then secret-tool is needed (Debian: libsecret-tools). On macOS, the Keychain asks for permission.',
        'Only cookies are read, no passwords and no localStorage. They are sent to the service alone, which keeps them encrypted.',
      ],
      examples: [
        'sluice profile upload shop --from firefox --domain shop.example.com',
        'sluice profile upload shop --from state.json --replace',
      ],
      load: async () => (await import('./profiles.ts')).uploadProfile,
    },
    {
      name: 'delete',
      summary: 'deletes a profile',
      words: NAME,
      flags: [LOCAL],
      load: async () => (await import('./profiles.ts')).deleteProfile,
    },
    {
      name: 'export',
      summary: 'prints the storage state of a profile: all values of cookies and storage',
      words: NAME,
      flags: [OUTPUT, LOCAL],
      notes: ['Needs a key with the scope profiles_export, of the owner of the profile.'],
      load: async () => (await import('./profiles.ts')).exportProfile,
    },
  ],
};
