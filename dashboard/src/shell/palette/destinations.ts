import { t } from '@lingui/core/macro';
import type { NavigateOptions } from '@tanstack/react-router';
import type { User } from '../../api/client.ts';
import { canChange } from '../../api/session.ts';
import { hostText, urlText } from '../../ui/host-text.ts';
import {
  type Icon,
  IconBell,
  IconClock,
  IconFile,
  IconGlobe,
  IconHistory,
  IconJobs,
  IconKey,
  IconMonitor,
  IconTable,
  IconTerminal,
  IconUser,
  IconUsers,
} from '../../ui/icons.tsx';
import type { NavItem } from '../nav-list.tsx';
import type { RecentItem } from '../recent-items.ts';

/** What one can go to, or do: it has a `link`, an `href` or a `run`. */
export interface Destination {
  readonly label: string;
  readonly icon: Icon;
  /** What it is, such as a job. */
  readonly kind?: string;
  readonly link?: NavigateOptions;
  /** Of a page outside of the dashboard, which is opened in a new tab. */
  readonly href?: string;
  readonly run?: () => void;
  /** Of a site. */
  readonly host?: string;
  /** Default: those of the page in `KEYWORDS`. */
  readonly keywords?: string;
}

/** For all but viewers, who change nothing. */
const ACTIONS: readonly Destination[] = [
  { label: t`New batch`, icon: IconJobs, link: { to: '/jobs/new-batch' } },
  { label: t`New crawl`, icon: IconJobs, link: { to: '/jobs/new-crawl' } },
  { label: t`New monitor`, icon: IconMonitor, link: { to: '/monitors/new' } },
  { label: t`New schedule`, icon: IconClock, link: { to: '/schedules/new' } },
  {
    label: t`New alert`,
    icon: IconBell,
    link: { to: '/alerts', state: { form: 'new' } },
    keywords: t`create notify email webhook slack rule`,
  },
  {
    label: t`Create a key`,
    icon: IconKey,
    link: { to: '/keys', state: { form: 'new' } },
    keywords: t`new API key token`,
  },
  { label: t`New dataset`, icon: IconTable, link: { to: '/datasets', state: { form: 'new' } } },
];

/** For administrators. */
const INVITE: Destination = {
  label: t`Invite a user`,
  icon: IconUsers,
  link: { to: '/users', state: { form: 'invite' } },
  keywords: t`add new user account viewer administrator`,
};

/** Further words by which a page is found, besides its name. */
const KEYWORDS: Readonly<Record<string, string>> = {
  '/': t`home dashboard statistics latency errors`,
  '/history': t`records scrapes requests results compare blocked failed`,
  '/playground': t`try send request markdown html json screenshot extract`,
  '/jobs': t`batches crawls queue`,
  '/monitors': t`changes watch schedule difference`,
  '/schedules': t`cron nightly export runs`,
  '/datasets': t`table rows columns excel csv`,
  '/alerts': t`notifications rules firing email`,
  '/webhooks': t`deliveries endpoints signatures`,
  '/sites': t`hosts domains protection methods`,
  '/usage': t`cost spend budget forecast traffic`,
  '/keys': t`tokens scopes revoked revoke expired rotate budget`,
  '/users': t`accounts roles invite viewers administrators`,
  '/proxies': t`pools gateways addresses residential mobile datacenter dead`,
  '/vendors': t`unlockers services credentials prices`,
  '/prices': t`cost currency money settings euro dollar`,
  '/system': t`disk memory storage browsers version settings`,
  '/audit': t`log who changes`,
  '/account': t`password two-factor language theme templates`,
  '/jobs/new-batch': t`upload list urls csv`,
  '/jobs/new-crawl': t`site sitemap links spider`,
  '/monitors/new': t`watch changes schedule`,
  '/schedules/new': t`cron nightly repeat`,
};

export interface Known {
  /** The pages of the sidebar. */
  readonly items: readonly NavItem[];
  readonly user: User;
  /** What is done at once. */
  readonly commands: readonly Destination[];
  readonly recent: readonly RecentItem[];
}

/** What is found without asking the service; recent items, and all pages and actions, if nothing is typed. */
export function destinationsFor(
  typed: string,
  { items, user, commands, recent }: Known,
): readonly Destination[] {
  const text = typed.trim();
  const lowerCase = text.toLowerCase();
  const pages: readonly Destination[] = [
    ...items.map(({ to, label, icon }) => ({ label, icon, link: { to } as NavigateOptions })),
    { label: t`Account and sessions`, icon: IconUser, link: { to: '/account' } },
    ...(canChange(user) ? ACTIONS : []),
    ...(user.role === 'admin' ? [INVITE] : []),
    ...commands,
  ];
  if (text === '') return [...recent.map(recentDestination), ...pages];
  const isNamed = ({ label }: Destination) => label.toLowerCase().includes(lowerCase);
  const isMeant = ({ link, keywords = KEYWORDS[link?.to ?? ''] }: Destination) =>
    lowerCase.length > 1 && keywords?.includes(lowerCase) === true;
  const matchingPages = [
    ...pages.filter(isNamed),
    ...pages.filter((page) => !isNamed(page) && isMeant(page)),
  ];
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(lowerCase))
    return [
      {
        label: t`Record ${lowerCase}`,
        icon: IconFile,
        link: { to: '/history/$id', params: { id: lowerCase } },
      },
    ];
  const url = urlInText(text);
  if (url === null) return matchingPages;
  const { host } = url;
  const shownUrl = urlText(text);
  const scrape: Destination = {
    label: t`Scrape ${shownUrl}`,
    icon: IconTerminal,
    link: { to: '/playground', state: { url: text } },
  };
  return [
    ...matchingPages,
    { label: t`Scrapes of ${hostText(host)}`, icon: IconHistory, link: { to: '/history', search: { host } } },
    { label: t`Site ${hostText(host)}`, icon: IconGlobe, link: { to: '/sites', search: { host } } },
    ...(canChange(user) ? [scrape] : []),
  ];
}

/** An item with the icon of its list. */
const recentDestination = ({ title, path, host }: RecentItem): Destination => ({
  label: title,
  kind: t`Recent`,
  icon: RECENT_ICONS[path.split('/')[1]!] ?? IconFile,
  link: { to: path, ...(host !== undefined && { search: { host } }) } as NavigateOptions,
});

const RECENT_ICONS: Readonly<Record<string, Icon>> = {
  jobs: IconJobs,
  monitors: IconMonitor,
  schedules: IconClock,
  datasets: IconTable,
  users: IconUser,
  sites: IconGlobe,
};

/** The text as a URL if it is one, or a host with a dot or a port, or `localhost`, with or without a path; otherwise null. */
export function urlInText(text: string): URL | null {
  if (!/[.:]|^localhost(\/|$)/i.test(text)) return null;
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  return url === null || url.host === '' ? null : url;
}
