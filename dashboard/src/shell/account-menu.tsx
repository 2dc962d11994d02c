import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { chooseLanguage, LANGUAGES } from '../i18n/language.ts';
import { type Icon, IconDevice, IconMoon, IconSignOut, IconSun, IconUser } from '../ui/icons.tsx';
import { useLeave } from './use-leave.ts';

/** The menu of the signed-in user, open at first. @param target the button that opens it again */
export function AccountMenu({ target }: { readonly target: ReactNode }) {
  const { leave, isPending } = useLeave();
  return (
    <Menu position="top-start" width="target" defaultOpened>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} />}>
          <Trans>Account and sessions</Trans>
        </Menu.Item>
        <Menu.Divider />
        <ThemeSwitch />
        {LANGUAGES.length > 0 && <LanguageSwitch />}
        <Menu.Divider />
        <Menu.Item leftSection={<IconSignOut size={16} />} onClick={leave} disabled={isPending}>
          <Trans>Sign out</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const SCHEMES: readonly (readonly [scheme: MantineColorScheme, label: string, icon: Icon])[] = [
  ['light', t`Light`, IconSun],
  ['dark', t`Dark`, IconMoon],
  ['auto', t`System`, IconDevice],
];

/** Menu items for the color scheme: light, dark, or that of the system. */
function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}>
      <Menu.Label>
        <Trans>Theme</Trans>
      </Menu.Label>
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

/** Menu items for the language, each in the language itself. A choice loads the page again. */
function LanguageSwitch() {
  return (
    <>
      <Menu.Divider />
      <Menu.RadioGroup value={i18n.locale} onChange={chooseLanguage}>
        <Menu.Label>
          <Trans>Language</Trans>
        </Menu.Label>
        {LANGUAGES.map(([code, name]) => (
          <Menu.RadioItem key={code} value={code} lang={code}>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
