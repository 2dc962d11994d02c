import {
  type MantineColorScheme,
  Menu,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useSignOut, useUser } from '../api/session.ts';
import {
  type Icon,
  IconDevice,
  IconMoon,
  IconSelector,
  IconSignOut,
  IconSun,
  IconUser,
} from '../ui/icons.tsx';
import { notifyError } from '../ui/notice.tsx';
import classes from './account-menu.module.css';

/** The menu of the signed-in user. */
export function AccountMenu() {
  const user = useUser();
  const queries = useQueryClient();
  const router = useRouter();
  const signOut = useSignOut();
  const onSignOut = () =>
    signOut.mutate(undefined, {
      onSuccess: async () => {
        await router.navigate({ to: '/sign-in' });
        queries.clear();
        // The draft of the playground may contain secrets.
        sessionStorage.clear();
      },
      onError: notifyError,
    });
  const role = user.role === 'admin' ? 'Administrator' : 'User';
  return (
    <Menu position="top-start" width="target">
      <Menu.Target>
        <UnstyledButton className={classes.target}>
          <VisuallyHidden>Account of</VisuallyHidden>
          <span className={classes.initial} aria-hidden="true">
            {[...user.email][0]?.toUpperCase()}
          </span>
          <span className={classes.text}>
            <span className={classes.email}>{user.email}</span>
            <span className={classes.role}>{role}</span>
          </span>
          <IconSelector size={16} className={classes.selector} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} />}>
          Account and sessions
        </Menu.Item>
        <Menu.Divider />
        <ThemeSwitch />
        <Menu.Divider />
        <Menu.Item leftSection={<IconSignOut size={16} />} onClick={onSignOut} disabled={signOut.isPending}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const SCHEMES: readonly (readonly [scheme: MantineColorScheme, label: string, icon: Icon])[] = [
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
  ['auto', 'System', IconDevice],
];

/** Menu items for the color scheme: light, dark, or that of the system. */
function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}>
      <Menu.Label>Theme</Menu.Label>
      {SCHEMES.map(([scheme, label, Icon]) => (
        <Menu.RadioItem
          key={scheme}
          value={scheme}
          closeMenuOnClick={false}
          rightSection={<Icon size={16} />}
        >
          {label}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
