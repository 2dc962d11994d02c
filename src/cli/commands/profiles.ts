import { BROWSERS, type BrowserName, readBrowserCookies } from '../browsers/read-browser.ts';
import { filterOfDomains } from '../browsers/site-filter.ts';
import { ApiError } from '../core/api-client.ts';
import {
  type CommandCall,
  type CommandContext,
  CommandError,
  type RunCommand,
  requireArgument,
  WRONG_USAGE,
} from '../core/command.ts';
import { withApi } from '../core/connect.ts';
import { readInput, textOf } from '../core/input.ts';
import { factsText, openOutput, styled, tableText } from '../core/output.ts';
import { profileStateOf, type UploadedState } from './profile-state.ts';

/** A profile as the API shows it. */
interface ProfileView {
  readonly name: string;
  readonly sites: readonly string[];
  readonly cookies: number;
  readonly size_bytes: number;
  readonly shared: boolean;
  readonly owner: { readonly id: string; readonly email: string | null };
  readonly state: 'ready' | 'logged_out' | 'empty';
  readonly created_at: string;
  readonly refreshed_at: string;
  readonly used_at: string | null;
  readonly expires_at: string | null;
}

const PROFILES = '/api/v1/profiles/';
const pathOf = (name: string): string => `${PROFILES}${encodeURIComponent(name)}/`;

/** A pipe gets JSON. */
const asJson = ({ flags }: CommandCall): boolean => flags.has('json') || !process.stdout.isTTY;

export const listProfiles: RunCommand = (call, io) =>
  withApi(io, call, async (api, signal) => {
    const profiles: ProfileView[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = cursor === '' ? '' : `?${new URLSearchParams({ cursor })}`;
      const page: { items: ProfileView[]; next_cursor: string | null } = await api.call(
        'GET',
        `${PROFILES}${query}`,
        { signal },
      );
      profiles.push(...page.items);
      cursor = page.next_cursor;
    }
    if (asJson(call)) for (const profile of profiles) io.out(JSON.stringify(profile));
    else if (profiles.length === 0) io.err('no profiles');
    else io.out(profileTable(profiles));
    return 0;
  });

function profileTable(profiles: readonly ProfileView[]): string {
  const rows = profiles.map((profile) => [
    profile.name,
    profile.state,
    profile.sites.join(', '),
    String(profile.cookies),
    minuteOf(profile.refreshed_at),
    profile.used_at === null ? 'never' : minuteOf(profile.used_at),
    profile.shared ? (profile.owner.email ?? '') : '',
  ]);
  return tableText(['NAME', 'STATE', 'SITES', 'COOKIES', 'REFRESHED', 'USED', 'SHARED BY'], rows).trimEnd();
}

const minuteOf = (time: string): string => time.slice(0, 16).replace('T', ' ');

export const showProfile: RunCommand = (call, io) =>
  withApi(io, call, async (api, signal) => {
    print(io, call, await api.call<ProfileView>('GET', pathOf(call.words[0]!), { signal }));
    return 0;
  });

function print(io: CommandContext, call: CommandCall, profile: ProfileView): void {
  io.out(asJson(call) ? JSON.stringify(profile) : profileText(profile));
}

const STATE_COLOURS = { ready: 'green', logged_out: 'red', empty: 'yellow' } as const;

const profileText = (profile: ProfileView): string =>
  [
    `${profile.name}  ${styled(STATE_COLOURS[profile.state], profile.state, process.stdout)}`,
    ...factsText([
      ['sites', profile.sites.join(', ')],
      ['cookies', String(profile.cookies)],
      ['bytes', String(profile.size_bytes)],
      ['owner', profile.owner.email],
      ['shared', profile.shared ? 'with all users' : null],
      ['created', profile.created_at],
      ['refreshed', profile.refreshed_at],
      ['used', profile.used_at],
      ['kept until', profile.expires_at],
    ]),
  ].join('\n');

export const uploadProfile: RunCommand = async (call, io) => {
  const name = call.words[0]!;
  const sites = call.lists.get('site');
  // Before the service is asked: a keyring may want to be unlocked first.
  const state = await stateOf(call, io);
  return withApi(io, call, async (api, signal) => {
    const settings = {
      ...state,
      ...(sites === undefined ? {} : { sites }),
      ...(call.flags.has('shared') ? { shared: true } : {}),
    };
    const create = () => api.call<ProfileView>('POST', PROFILES, { body: { name, ...settings }, signal });
    const change = () =>
      api.call<ProfileView>('PATCH', pathOf(name), { body: settings, signal }).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return create();
        throw error;
      });
    print(io, call, await (call.flags.has('replace') ? change() : create()));
    return 0;
  });
};

async function stateOf({ values, lists }: CommandCall, io: CommandContext): Promise<UploadedState> {
  const from = requireArgument(values.get('from'), '--from');
  const domains = lists.get('domain') ?? [];
  const profile = values.get('browser-profile') ?? null;
  if (!isBrowser(from)) {
    if (profile !== null)
      throw new CommandError(`--browser-profile belongs to --from ${BROWSERS.join(', ')}`, WRONG_USAGE);
    const text = textOf(await readInput(from), from);
    return profileStateOf(text, from, domains.length === 0 ? null : filterOfDomains(domains));
  }
  if (domains.length === 0)
    throw new CommandError(
      '--domain is missing: of a browser, only the cookies of the domains that you name are read',
      WRONG_USAGE,
    );
  const { cookies, unreadable } = await readBrowserCookies({ browser: from, profile, domains });
  if (unreadable > 0) io.err(`${unreadable} cookies could not be decrypted, and are left out`);
  return { storage_state: { cookies } };
}

const isBrowser = (text: string): text is BrowserName => BROWSERS.some((name) => name === text);

export const deleteProfile: RunCommand = (call, io) =>
  withApi(io, call, async (api, signal) => {
    await api.call('DELETE', pathOf(call.words[0]!), { signal });
    return 0;
  });

export const exportProfile: RunCommand = (call, io) =>
  withApi(io, call, async (api, signal) => {
    const { storage_state: state } = await api.call<{ readonly storage_state: object }>(
      'GET',
      `${pathOf(call.words[0]!)}export/`,
      { signal },
    );
    await using output = await openOutput(call.values.get('output') ?? null);
    await output.write(`${JSON.stringify(state)}\n`);
    return 0;
  });
