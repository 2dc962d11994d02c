import { type Static, Type } from 'typebox';
import { OPERATOR } from '../../account/account-actions.ts';
import { type Principal, readsAll } from '../../domain/account.ts';
import { type Failure, isFailure } from '../../domain/failure.ts';
import { closed, orNull } from '../../domain/json-schema.ts';
import type { Notify } from '../../domain/notifications.ts';
import type { ProfileFacts, StoredProfile } from '../../domain/profiles.ts';
import { MAX_PROFILE_COOKIES, MAX_PROFILE_ORIGINS } from '../../domain/profiles.ts';
import { storageStateSchema } from '../../domain/storage-state.ts';
import { ProfileCreate, ProfilePatch, readProfileBody } from '../../wire/profiles/profile-body.ts';
import { ProfileObject, profileObject, storageStateObject } from '../../wire/profiles/profile-json.ts';
import type { JsonObject } from '../../wire/schema/body-parser.ts';
import type { Problems } from '../../wire/schema/problems.ts';
import type { QueryReader, Viewer } from '../../wire/schema/query-reader.ts';
import { actorOf } from '../core/access.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { notFoundRefusal, Refusal } from '../core/refusal.ts';
import { forbidStoring, json, nothing, problem } from '../core/responses.ts';
import { checkChannels } from '../operations/notify.ts';
import { pageOf, pageParameters, readPage } from '../operations/page.ts';
import { usesOfProfile } from '../operations/uses-of-profile.ts';

const ProfileList = closed(
  { items: Type.Array(ProfileObject), next_cursor: orNull(Type.String()) },
  { title: 'ProfileList' },
);
const ExportedProfile = closed(
  { name: Type.String(), storage_state: storageStateSchema(MAX_PROFILE_COOKIES, MAX_PROFILE_ORIGINS) },
  { title: 'ExportedProfile', description: 'A profile with its values: a password for its sites.' },
);

const EXAMPLE_COOKIE = {
  name: 'session',
  value: 'b1946ac9',
  domain: '.example.com',
  path: '/',
  secure: true,
};
const EXAMPLES = {
  state: { name: 'shop', storage_state: { cookies: [EXAMPLE_COOKIE], origins: [] } },
  empty: { name: 'forum', sites: ['example.org'], identity: { locale: 'de-CH' } },
};

const readBody = (body: JsonObject, problems: Problems) =>
  readProfileBody(body as Static<typeof ProfilePatch>, problems);

const CREATE = jsonBody(ProfileCreate, {
  examples: EXAMPLES,
  read: (body, problems) => ({ ...readBody(body, problems), name: body.name as string }),
});
const CHANGE = jsonBody(ProfilePatch, {
  examples: { share: { shared: true } },
  // Extensions of browsers write null in the cookies that they export.
  nulls: 'kept in members',
  read: readBody,
});

const PROFILE_NAME = { name: { description: 'Name of the profile.', schema: Type.String() } };

const seesAllProfiles = ({ role, scopes = [] }: Pick<Viewer, 'role' | 'scopes'>): boolean =>
  readsAll(role) && scopes.includes('admin');

const ownerParameter = (description: string) => ({ user_id: { description, schema: Type.String() } });

/** Whose profiles are asked for; null: those of all users. */
function readOwner(query: QueryReader, viewer: Viewer): string | null {
  const asked = query.text('user_id');
  if (asked === null) return viewer.userId;
  if (!seesAllProfiles(viewer)) query.addProblem('user_id', 'is only for administrators and viewers');
  return asked === 'all' ? null : asked;
}

/** Profiles as the principal sees them. */
async function views(
  { accounts, store }: Pick<EndpointDeps, 'accounts' | 'store'>,
  profiles: readonly ProfileFacts[],
  { userId }: Pick<Principal, 'userId'>,
) {
  const own = profiles.filter((profile) => profile.userId === userId).map(({ id }) => id);
  const notifyOf = await store.notifications.notifyOfAll(own);
  return profiles.map((profile) =>
    profileObject(profile, {
      email: accounts.findUser(OPERATOR, profile.userId)?.email ?? null,
      channels: notifyOf.get(profile.id)?.channels ?? [],
      usedBy: null,
    }),
  );
}

const view = async (deps: EndpointDeps, profile: ProfileFacts, principal: Pick<Principal, 'userId'>) =>
  (await views(deps, [profile], principal))[0]!;

/** Who is told from now on that the own profile is logged out. @param channels undefined: as before */
async function tellBy(
  { store }: Pick<EndpointDeps, 'store'>,
  { id, userId }: ProfileFacts,
  channels: readonly string[] | undefined,
): Promise<void> {
  if (channels === undefined) return;
  const notify: Notify = { source: 'profile', title: null, events: [], channels };
  await store.notifications.setNotify(id, userId, channels.length === 0 ? null : notify);
}

/** @throws Refusal */
async function ownProfile(
  { profiles }: EndpointDeps,
  { userId }: Principal,
  name: string,
): Promise<StoredProfile> {
  const profile = await profiles.findOwn(userId, name);
  if (profile === null) throw notFoundRefusal('profile');
  return profile;
}

/** @throws Refusal */
function unwrap<T>(result: T | Failure): T {
  if (isFailure(result)) throw new Refusal([result]);
  return result;
}

const UNREADABLE = problem('The encryption key of its values is gone: `profile.unreadable`.');

export const PROFILES = [
  endpoint({
    method: 'post',
    path: '/api/v1/profiles/',
    operationId: 'createProfile',
    summary: 'Create a profile',
    description:
      'Keeps cookies, localStorage and IndexedDB of a user, encrypted, under a name. A request uses them with `scraper_options.profile`. Cookies that have expired, and those of other sites than `sites`, are left out.',
    access: 'scope:profiles',
    body: CREATE,
    responses: {
      201: json('The profile.', ProfileObject),
      429: problem('Too many profiles: `limit.profiles`; or requests: `limit.concurrency`.'),
    },
    handler: async ({ principal, body: { channels, ...settings }, request }, deps) => {
      await checkChannels(deps, channels ?? [], principal.userId, principal, '');
      const profile = unwrap(await deps.profiles.create(actorOf(principal, request), settings));
      await tellBy(deps, profile, channels);
      return await view(deps, profile, principal);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/profiles/',
    operationId: 'listProfiles',
    summary: 'List profiles',
    description: 'Your own and those that others share, the newest first, without their values.',
    access: 'scope:profiles',
    query: {
      parameters: {
        ...ownerParameter('Of this user, or `all`. Only for administrators and viewers; default: your own.'),
        ...pageParameters(),
      },
      read: (query: QueryReader, viewer: Viewer) => ({ ...readPage(query), owner: readOwner(query, viewer) }),
    },
    responses: { 200: json('A page of profiles.', ProfileList) },
    handler: async ({ principal, query: { limit, cursor, owner } }, deps) => {
      const rows = await deps.profiles.list(owner, limit + 1, cursor);
      const { page, next_cursor } = pageOf(rows, limit, ({ id }) => id);
      return { items: await views(deps, page, principal), next_cursor };
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/profiles/{name}/',
    operationId: 'getProfile',
    summary: 'Get a profile',
    description:
      'Your own one of this name, else the shared one; with your monitors and schedules that name it.',
    access: 'scope:profiles',
    params: PROFILE_NAME,
    responses: { 200: json('The profile, without its values.', ProfileObject) },
    handler: async ({ principal, params }, deps) => {
      const profile = await deps.profiles.find(principal.userId, params.name);
      if (profile === null) throw notFoundRefusal('profile');
      const { userId, scopes } = principal;
      const usedBy = scopes.includes('read') ? await usesOfProfile(deps, userId, profile.name) : null;
      return { ...(await view(deps, profile, principal)), used_by: usedBy };
    },
  }),
  endpoint({
    method: 'patch',
    path: '/api/v1/profiles/{name}/',
    operationId: 'changeProfile',
    summary: 'Change a profile',
    description:
      'Only by its owner. New cookies or a new state replace all that were kept, and a profile that was logged out is ready again. With fewer `sites`, what belongs to the others is deleted.',
    access: 'scope:profiles',
    params: PROFILE_NAME,
    body: CHANGE,
    responses: { 200: json('The changed profile.', ProfileObject), 422: UNREADABLE },
    handler: async ({ principal, params, body: { channels, ...settings }, request }, deps) => {
      await checkChannels(deps, channels ?? [], principal.userId, principal, '');
      const changed = await deps.profiles.change(actorOf(principal, request), params.name, settings);
      if (changed === null) throw notFoundRefusal('profile');
      const profile = unwrap(changed);
      await tellBy(deps, profile, channels);
      return await view(deps, profile, principal);
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/profiles/{name}/',
    operationId: 'deleteProfile',
    summary: 'Delete a profile',
    description: 'Its values are deleted at once. Administrators end the profiles of others with `user_id`.',
    access: 'scope:profiles',
    params: PROFILE_NAME,
    query: {
      parameters: ownerParameter('Whose profile. Only for administrators; default: your own.'),
      read: (query: QueryReader, viewer: Viewer) => {
        const owner = query.text('user_id');
        if (owner !== null && !seesAllProfiles(viewer))
          query.addProblem('user_id', 'is only for administrators');
        return { owner: owner ?? viewer.userId };
      },
    },
    responses: { 204: nothing('Deleted.') },
    handler: async ({ principal, params, query: { owner }, request }, deps) => {
      const profile = await deps.profiles.findOwn(owner, params.name);
      if (profile === null || !(await deps.profiles.end(actorOf(principal, request), profile)))
        throw notFoundRefusal('profile');
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/profiles/{name}/export/',
    operationId: 'exportProfile',
    summary: 'Export the values of a profile',
    description: 'Only for its owner. The result can be used as `storage_state`.',
    access: 'scope:profiles_export',
    params: PROFILE_NAME,
    responses: { 200: json('The profile with its values.', ExportedProfile), 422: UNREADABLE },
    handler: async ({ principal, params, request, reply }, deps) => {
      forbidStoring(reply);
      const profile = await ownProfile(deps, principal, params.name);
      const values = unwrap(await deps.profiles.exported(actorOf(principal, request), profile));
      return { name: profile.name, storage_state: storageStateObject(values) };
    },
  }),
];
