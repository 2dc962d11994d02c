import type { LinkProps } from '@tanstack/react-router';
import type { User } from '../api/client.ts';
import {
  type Icon,
  IconGlobe,
  IconHistory,
  IconKey,
  IconOverview,
  IconProxies,
  IconServer,
  IconTerminal,
  IconUsers,
} from '../ui/icons.tsx';

interface NavItem {
  readonly to: LinkProps['to'];
  readonly label: string;
  readonly icon: Icon;
}

const ALL: readonly NavItem[] = [
  { to: '/', label: 'Overview', icon: IconOverview },
  { to: '/history', label: 'History', icon: IconHistory },
  { to: '/playground', label: 'Playground', icon: IconTerminal },
  { to: '/sites', label: 'Sites', icon: IconGlobe },
  { to: '/keys', label: 'API keys', icon: IconKey },
];

const FOR_ADMINS: readonly NavItem[] = [
  { to: '/users', label: 'Users', icon: IconUsers },
  { to: '/proxies', label: 'Proxies', icon: IconProxies },
  { to: '/system', label: 'System', icon: IconServer },
];

/** What stands in the sidebar: nobody sees what they do not need. */
export function navItems(user: User): readonly NavItem[] {
  return user.role === 'admin' ? [...ALL, ...FOR_ADMINS] : ALL;
}
