import { type Static, Type } from 'typebox';
import { DEVICE_NAMES } from '../../domain/browser-profiles.ts';
import type { ProfileCredentials } from '../../domain/credentials.ts';
import { closed, dateTime, orNull } from '../../domain/json-schema.ts';
import {
  EMPTY_STATE,
  MAX_PROFILE_COOKIES,
  MAX_PROFILE_ORIGINS,
  MAX_PROFILE_SITES,
  PROFILE_NAME_PATTERN,
  type ProfileExit,
  type ProfileIdentity,
} from '../../domain/profiles.ts';
import { type StorageState, storageStateSchema } from '../../domain/storage-state.ts';
import { parseTotpSeed } from '../../domain/totp.ts';
import { parseDateTime } from '../date-time.ts';
import { NOTIFY_MEMBERS } from '../notifications/notify-members.ts';
import { readStorageState } from '../request/cookies.ts';
import { addProblem, addValueProblem, type Problems } from '../schema/problems.ts';
import { readNetscapeCookies } from './netscape-cookies.ts';

const opt = Type.Optional;

export const ProfileName = Type.String({
  pattern: PROFILE_NAME_PATTERN,
  description: 'must be 1 to 64 letters, digits, dots, hyphens and underscores, the first a letter or digit',
});

export const IdentitySchema = closed(
  {
    user_agent: opt(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        pattern: '^[\\x20-\\x7e]*$',
        description: 'must be printable ASCII: the `User-Agent` of requests with the profile',
      }),
    ),
    device: opt(
      Type.Enum([...DEVICE_NAMES], {
        description: 'The device that browsers emulate, as `scraper_options.device`.',
      }),
    ),
    locale: opt(
      Type.String({
        pattern: '^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$',
        maxLength: 100,
        description:
          'must be a language tag such as `de-CH`: the `Accept-Language`, and the language of browsers',
      }),
    ),
  },
  {
    title: 'ProfileIdentity',
    description: 'As what a visitor the sites know the profile. Options of a request have precedence.',
  },
);

export const ExitSchema = closed(
  {
    country: opt(
      Type.String({ pattern: '^[A-Za-z]{2}$', description: 'must be two letters (ISO 3166-1 alpha-2)' }),
    ),
    session: Type.String({
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description:
        'must be 1 to 64 letters, digits, `_` or `-`: the session of the proxy, so that the exit stays the same',
    }),
  },
  {
    title: 'ProfileExit',
    description:
      'The session of the proxy, and its country, of requests with the profile that name no `proxy.session`: the sites see one visitor. The type is that of `proxy`.',
  },
);

const SITES = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
  minItems: 1,
  maxItems: MAX_PROFILE_SITES,
  description:
    'The sites that the profile is for, such as `example.com`. A host stands for its registrable domain by the public suffix list. Cookies and storage of other sites are left out. Default: the sites that the cookies and the storage belong to.',
});

const CredentialsSchema = closed(
  {
    username: opt(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'User name or e-mail; left out: the site has it.',
      }),
    ),
    password: Type.String({ minLength: 1, maxLength: 1_000 }),
    totp_seed: opt(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        description:
          'The secret of one-time codes (RFC 6238), as the site shows it to authenticator apps: Base32, or an otpauth:// URI.',
      }),
    ),
  },
  {
    title: 'ProfileCredentials',
    description:
      'What the action `login` types into pages of `sites`. Write-only: they are kept encrypted, and never returned.',
  },
);

const PROFILE_SETTINGS = {
  storage_state: opt({
    ...storageStateSchema(MAX_PROFILE_COOKIES, MAX_PROFILE_ORIGINS),
    description: 'Cookies, localStorage and IndexedDB in the format of `storageState()` of Playwright.',
  }),
  cookies_txt: opt(
    Type.String({
      minLength: 1,
      description:
        'Cookies in the format of Netscape, as curl and extensions of browsers write it. Instead of `storage_state`.',
    }),
  ),
  shared: opt(
    Type.Boolean({
      description:
        'Whether all users may use the profile. Only its owner may change and export it (default: false).',
    }),
  ),
  channels: opt({
    ...NOTIFY_MEMBERS.channels,
    description:
      'Ids of your channels (`/api/v1/channels/`), by which you are told that the profile is logged out.',
  }),
};

export const ProfileCreate = closed(
  {
    name: ProfileName,
    sites: opt(SITES),
    ...PROFILE_SETTINGS,
    identity: opt(IdentitySchema),
    exit: opt(ExitSchema),
    credentials: opt(CredentialsSchema),
    expires_at: opt(dateTime('When the profile is deleted.')),
  },
  { title: 'ProfileCreate' },
);

export const ProfilePatch = closed(
  {
    name: opt(ProfileName),
    sites: opt(SITES),
    ...PROFILE_SETTINGS,
    identity: opt(orNull(IdentitySchema)),
    exit: opt(orNull(ExitSchema)),
    credentials: opt(orNull(CredentialsSchema)),
    expires_at: opt(orNull(dateTime('When the profile is deleted; null: never.'))),
  },
  {
    title: 'ProfilePatch',
    description: 'Fields left out stay unchanged. New cookies or a new state replace all that were kept.',
  },
);

/** What both bodies have, read. Members that are left out are absent. */
export interface ProfileBody {
  readonly name?: string;
  readonly sites?: readonly string[];
  readonly values?: { readonly state: StorageState; readonly pointer: string };
  readonly identity?: ProfileIdentity | null;
  readonly exit?: ProfileExit | null;
  readonly shared?: boolean;
  readonly credentials?: ProfileCredentials | null;
  readonly expiresAt?: number | null;
  /** Ids of channels. */
  readonly channels?: readonly string[];
}

export function readProfileBody(
  body: Static<typeof ProfileCreate> | Static<typeof ProfilePatch>,
  problems: Problems,
): ProfileBody {
  const { name, sites, identity, exit, shared, credentials, channels, expires_at: expires } = body;
  const values = readValues(body, problems);
  return {
    ...(name === undefined ? {} : { name }),
    ...(sites === undefined ? {} : { sites }),
    ...(values === null ? {} : { values }),
    ...(identity === undefined ? {} : { identity: identity === null ? null : readIdentity(identity) }),
    ...(exit === undefined ? {} : { exit: exit === null ? null : readExit(exit) }),
    ...(shared === undefined ? {} : { shared }),
    ...(credentials === undefined
      ? {}
      : { credentials: credentials === null ? null : readCredentials(credentials, problems) }),
    ...(channels === undefined ? {} : { channels: channels.map((id) => id.toLowerCase()) }),
    ...(expires === undefined ? {} : { expiresAt: readExpiry(expires, problems) }),
  };
}

function readCredentials(
  { username, password, totp_seed: totpSeed }: Static<typeof CredentialsSchema>,
  problems: Problems,
): ProfileCredentials {
  const totp = totpSeed === undefined ? null : parseTotpSeed(totpSeed);
  // Without the value: it is a secret.
  if (totp !== null && 'problem' in totp) addProblem(problems, '/credentials/totp_seed', totp.problem);
  return { username: username ?? null, password, totpSeed: totpSeed ?? null };
}

const readIdentity = ({ user_agent, device, locale }: Static<typeof IdentitySchema>): ProfileIdentity => ({
  userAgent: user_agent ?? null,
  device: device ?? null,
  locale: locale ?? null,
});

const readExit = ({ country, session }: Static<typeof ExitSchema>): ProfileExit => ({
  country: country?.toUpperCase() ?? null,
  session,
});

function readExpiry(text: string | null, problems: Problems): number | null {
  if (text === null) return null;
  const at = parseDateTime(text);
  if (at === null) addValueProblem(problems, '/expires_at', 'must be a date and time (RFC 3339)', text);
  return at;
}

function readValues(
  { storage_state: state, cookies_txt: text }: Static<typeof ProfilePatch>,
  problems: Problems,
): NonNullable<ProfileBody['values']> | null {
  if (state !== undefined && text !== undefined)
    addProblem(problems, '/cookies_txt', 'is a second source of cookies; give it or `storage_state`');
  if (state !== undefined) {
    const pointer = '/storage_state';
    return { state: readStorageState(state, pointer, problems) ?? EMPTY_STATE, pointer };
  }
  return text === undefined ? null : { state: readCookiesFile(text, problems), pointer: '/cookies_txt' };
}

function readCookiesFile(text: string, problems: Problems): StorageState {
  const read = readNetscapeCookies(text);
  if ('line' in read) {
    addProblem(
      problems,
      '/cookies_txt',
      `has no cookie of the format of Netscape in line ${read.line}: domain, TRUE or FALSE, path, TRUE or FALSE, seconds, name and value, separated by tabs`,
    );
    return EMPTY_STATE;
  }
  if (read.cookies.length === 0) addProblem(problems, '/cookies_txt', 'has no cookies');
  if (read.cookies.length > MAX_PROFILE_COOKIES) {
    addProblem(
      problems,
      '/cookies_txt',
      `has ${read.cookies.length} cookies; at most ${MAX_PROFILE_COOKIES}`,
    );
    return EMPTY_STATE;
  }
  return {
    cookies: read.cookies.flatMap(({ line, cookie }) => {
      const found: Problems = [];
      const state = readStorageState({ cookies: [cookie] }, '', found);
      for (const { message } of found)
        addProblem(problems, '/cookies_txt', `has a cookie in line ${line} that browsers refuse: ${message}`);
      return state?.cookies ?? [];
    }),
    origins: [],
  };
}
