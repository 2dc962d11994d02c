import { Type } from 'typebox';
import { closed, orNull } from '../../domain/json-schema.ts';
import { PROFILE_STATES, type ProfileFacts } from '../../domain/profiles.ts';
import type { StorageState, StorageStateSchema } from '../../domain/storage-state.ts';
import type { Written } from '../answer/json-members.ts';
import { formatDateTime, formatDateTimeOrNull } from '../date-time.ts';
import { ExitSchema, IdentitySchema } from './profile-body.ts';

const Timestamp = Type.String({ format: 'date-time' });

export const ProfileObject = closed(
  {
    name: Type.String(),
    sites: Type.Array(Type.String(), {
      description: 'Registrable domains, or hosts that have none. Only they are asked with the profile.',
    }),
    cookies: Type.Integer({
      description: 'Number of cookies. Their values are never returned, except by `export/`.',
    }),
    size_bytes: Type.Integer({ description: 'Size of cookies, localStorage and IndexedDB as JSON.' }),
    identity: orNull(IdentitySchema),
    exit: orNull(ExitSchema),
    shared: Type.Boolean(),
    has_credentials: Type.Boolean({ description: 'Whether the action `login` can log in with it.' }),
    channels: Type.Array(Type.String({ format: 'uuid' }), {
      description: 'The channels that tell its owner that it is logged out. Others see none.',
    }),
    owner: closed({ id: Type.String({ format: 'uuid' }), email: orNull(Type.String()) }),
    used_by: orNull(
      Type.Array(
        closed({
          type: Type.Enum(['monitor', 'schedule']),
          id: Type.String({ format: 'uuid' }),
          name: Type.String(),
        }),
      ),
      {
        description:
          'Your monitors and schedules that name the profile, at most 50. Only when one profile is read, with the scope `read`; else null.',
      },
    ),
    created_at: Timestamp,
    refreshed_at: Type.String({
      format: 'date-time',
      description: 'When its cookies or its storage changed last.',
    }),
    used_at: orNull(Timestamp, { description: 'The last use, to about a minute; null: never.' }),
    expires_at: orNull(Timestamp, { description: 'When the profile is deleted; null: never.' }),
    state: Type.Enum([...PROFILE_STATES], {
      description:
        '`logged_out`: a page that was fetched with it asked to log in. `empty`: it has no cookies and no storage.',
    }),
  },
  { title: 'Profile', description: 'The state of a user at some sites, without its values.' },
);

/** What is not stored in the profile itself. */
interface ProfileSurroundings {
  /** Of the owner; null: the user is gone. */
  readonly email: string | null;
  /** Ids. */
  readonly channels: readonly string[];
  readonly usedBy: Written<typeof ProfileObject>['used_by'];
}

export const profileObject = (
  profile: ProfileFacts,
  { email, channels, usedBy }: ProfileSurroundings,
): Written<typeof ProfileObject> => ({
  name: profile.name,
  sites: [...profile.sites],
  cookies: profile.cookies,
  size_bytes: profile.bytes,
  identity: identityObject(profile),
  exit: exitObject(profile),
  shared: profile.shared,
  has_credentials: profile.hasCredentials,
  channels: [...channels],
  owner: { id: profile.userId, email },
  used_by: usedBy,
  created_at: formatDateTime(profile.createdAt),
  refreshed_at: formatDateTime(profile.refreshedAt),
  used_at: formatDateTimeOrNull(profile.usedAt),
  expires_at: formatDateTimeOrNull(profile.expiresAt),
  state: profile.state,
});

/** A state as Playwright writes it. */
export const storageStateObject = ({ cookies, origins }: StorageState) => ({
  cookies: cookies.map(({ partition, ...cookie }) => ({
    ...cookie,
    ...(partition === undefined ? {} : { partitionKey: partition.site }),
    ...(typeof partition?.crossSite === 'boolean' ? { _crHasCrossSiteAncestor: partition.crossSite } : {}),
  })),
  origins: origins as NonNullable<StorageStateSchema['origins']>,
});

function identityObject({ identity }: ProfileFacts) {
  if (identity === null) return null;
  const { userAgent, device, locale } = identity;
  return {
    ...(userAgent === null ? {} : { user_agent: userAgent }),
    ...(device === null ? {} : { device }),
    ...(locale === null ? {} : { locale }),
  };
}

function exitObject({ exit }: ProfileFacts) {
  if (exit === null) return null;
  const { country, session } = exit;
  return { ...(country === null ? {} : { country }), session };
}
