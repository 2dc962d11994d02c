import { t } from '@lingui/core/macro';
import { useDebouncedValue } from '@mantine/hooks';
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { channelsQuery } from '../../api/channels.ts';
import { api, responseBody, type User } from '../../api/client.ts';
import { keysQuery, userKeysQuery } from '../../api/keys.ts';
import { profilesQuery } from '../../api/profiles.ts';
import { canChange, seesAllUsers } from '../../api/session.ts';
import { usersQuery } from '../../api/users.ts';
import { BASE_PATH } from '../../app/page-config.ts';
import { hostText } from '../../ui/host-text.ts';
import {
  IconBook,
  IconChannels,
  IconClock,
  IconGlobe,
  IconJobs,
  IconKey,
  IconMonitor,
  IconTable,
  IconUser,
} from '../../ui/icons.tsx';
import { type Destination, urlInText } from './destinations.ts';

/** How long to wait for the next letter before the service is asked. */
const PAUSE_MS = 200;
const MIN_CHARS = 2;
const MAX_CHARS = 200;
/** Of each kind. */
const LIMIT = 5;

interface Found {
  readonly destinations: readonly Destination[];
  /** What could not be searched. */
  readonly error: unknown;
}

const NOTHING: Found = { destinations: [], error: null };

/** What the user has, and the documentation: by a part of its name. Each pause in typing asks once. */
export function useFound(typed: string, user: User) {
  const [text] = useDebouncedValue(typed.trim().slice(0, MAX_CHARS), PAUSE_MS);
  const queries = useQueryClient();
  const enabled = text.length >= MIN_CHARS;
  const { data, isFetching, refetch } = useQuery({
    queryKey: ['palette', user.id, text],
    queryFn: async ({ signal }): Promise<Found> => {
      const found = await Promise.allSettled(
        SOURCES.filter(({ isFor }) => isFor?.(user) !== false).map(({ find }) =>
          find({ text, user, signal, queries }),
        ),
      );
      const failed = found.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
      const destinations = found.flatMap((result) =>
        result.status === 'fulfilled' ? result.value.slice(0, LIMIT) : [],
      );
      return { destinations, error: failed?.reason ?? null };
    },
    enabled,
    placeholderData: keepPreviousData,
  });
  const current = typed.trim().slice(0, MAX_CHARS);
  const isTyped = current.length >= MIN_CHARS;
  const isSearching = isTyped && (isFetching || text !== current);
  const { destinations, error } = isTyped && data !== undefined ? data : NOTHING;
  return {
    // Until the answer is there, what was found before, as far as it fits.
    destinations: isSearching ? destinations.filter(({ label }) => contains(label, current)) : destinations,
    error: isSearching ? null : error,
    isSearching,
    retry: () => void refetch(),
  };
}

interface Question {
  readonly text: string;
  readonly user: User;
  readonly signal: AbortSignal;
  readonly queries: QueryClient;
}

interface Source {
  readonly isFor?: (user: User) => boolean;
  readonly find: (question: Question) => Promise<readonly Destination[]>;
}

const contains = (name: string, text: string): boolean => name.toLowerCase().includes(text.toLowerCase());
const page = (q: string, signal: AbortSignal) => ({ params: { query: { q, limit: LIMIT } }, signal });

const SOURCES: readonly Source[] = [
  {
    async find({ text, signal }) {
      const host = urlInText(text)?.host ?? text;
      const { items } = await responseBody(api.GET('/api/v1/sites/', page(host, signal)));
      return items.map(
        (site): Destination => ({
          label: hostText(site.host),
          host: site.host,
          kind: t`Site`,
          icon: IconGlobe,
          link: { to: '/sites', search: { host: site.host } },
        }),
      );
    },
  },
  {
    async find({ text, signal }) {
      const { items } = await responseBody(api.GET('/api/v1/jobs/', page(text, signal)));
      return items.map(
        ({ id, label }): Destination => ({
          label: label ?? id,
          kind: t`Job`,
          icon: IconJobs,
          link: { to: '/jobs/$id', params: { id } },
        }),
      );
    },
  },
  {
    async find({ text, signal }) {
      const { items } = await responseBody(api.GET('/api/v1/monitors/', page(text, signal)));
      return items.map(
        ({ id, name }): Destination => ({
          label: name,
          kind: t`Monitor`,
          icon: IconMonitor,
          link: { to: '/monitors/$id', params: { id } },
        }),
      );
    },
  },
  {
    async find({ text, signal }) {
      const { items } = await responseBody(api.GET('/api/v1/schedules/', page(text, signal)));
      return items.map(
        ({ id, name }): Destination => ({
          label: name,
          kind: t`Schedule`,
          icon: IconClock,
          link: { to: '/schedules/$id', params: { id } },
        }),
      );
    },
  },
  {
    async find({ text, signal }) {
      const { items } = await responseBody(api.GET('/api/v1/datasets/', page(text, signal)));
      return items.map(
        ({ id, name }): Destination => ({
          label: name,
          kind: t`Dataset`,
          icon: IconTable,
          link: { to: '/datasets/$id', params: { id } },
        }),
      );
    },
  },
  {
    async find({ text, queries }) {
      const { items } = await queries.fetchQuery(profilesQuery(null));
      return items.flatMap(({ name, sites }) =>
        [name, ...sites].some((one) => contains(one, text))
          ? {
              label: name,
              kind: t({ message: 'Profile', context: 'log-in' }),
              icon: IconUser,
              link: { to: '/profiles' },
            }
          : [],
      );
    },
  },
  {
    isFor: canChange,
    async find({ text, queries }) {
      const { items } = await queries.fetchQuery(channelsQuery);
      return items.flatMap(({ name }) =>
        contains(name, text)
          ? { label: name, kind: t`Channel`, icon: IconChannels, link: { to: '/channels' } }
          : [],
      );
    },
  },
  {
    isFor: (user) => canChange(user) || seesAllUsers(user),
    async find({ text, user, queries }) {
      const { items } = await queries.fetchQuery(seesAllUsers(user) ? userKeysQuery('all') : keysQuery);
      return items.flatMap((key): Destination | readonly Destination[] => {
        if (!contains(key.name, text) || key.revoked_at !== null) return [];
        const shown = { label: key.name, kind: t`API key`, icon: IconKey };
        // The keys of others are on their pages.
        if (key.user_id === user.id) return { ...shown, link: { to: '/keys' } };
        return { ...shown, link: { to: '/users/$id', params: { id: key.user_id } } };
      });
    },
  },
  {
    isFor: seesAllUsers,
    async find({ text, queries }) {
      const { items } = await queries.fetchQuery(usersQuery);
      return items.flatMap(({ id, email }) =>
        contains(email, text)
          ? { label: email, kind: t`User`, icon: IconUser, link: { to: '/users/$id', params: { id } } }
          : [],
      );
    },
  },
  {
    async find({ text, queries }) {
      const words = text.toLowerCase().split(/\s+/);
      const sections = await queries.fetchQuery(docsQuery);
      const isIn = (part: string) => words.every((word) => contains(part, word));
      // Headings come before texts, pages before their sections.
      const rank = ({ title, heading }: DocsSection) =>
        (isIn(`${title} ${heading}`) ? 0 : 2) + Number(heading !== title);
      const found = sections
        .filter(({ title, heading, text: body }) => isIn(`${title} ${heading} ${body}`))
        .toSorted((one, other) => rank(one) - rank(other));
      return found.map(
        ({ path, id, title, heading }): Destination => ({
          label: heading === title ? title : `${title}: ${heading}`,
          kind: t`Documentation`,
          icon: IconBook,
          href: `${BASE_PATH}/docs${path && `/${path}`}${id && `#${id}`}`,
        }),
      );
    },
  },
];

interface DocsSection {
  /** Of the page, below `/docs`. */
  readonly path: string;
  readonly title: string;
  /** Of the heading; empty: the beginning of the page. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

/** The index of the search of the documentation. */
const docsQuery = queryOptions({
  queryKey: ['docs'],
  queryFn: async ({ signal }): Promise<readonly DocsSection[]> => {
    const response = await fetch(`${BASE_PATH}/docs/search.json`, { signal });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return (await response.json()) as readonly DocsSection[];
  },
  staleTime: Number.POSITIVE_INFINITY,
});
