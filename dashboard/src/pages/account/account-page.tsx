import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  type MantineColorScheme,
  NativeSelect,
  SegmentedControl,
  SimpleGrid,
  Stack,
  useMantineColorScheme,
} from '@mantine/core';
import { ROLE_LABELS, useCanChange, useUser } from '../../api/session.ts';
import { chooseLanguage, LANGUAGES } from '../../i18n/language.ts';
import { DescriptionList } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCount } from '../../ui/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { SecondFactorPanel } from './second-factor-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { TemplatesPanel } from './templates-panel.tsx';

/** The settings of the signed-in user. */
export function AccountPage() {
  const canChange = useCanChange();
  const { has_password: hasPassword } = useUser();
  return (
    <>
      <PageHeader
        title={t`Account`}
        description={t`Your profile, password, sessions, templates, theme and language.`}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Stack gap="md">
          <ProfilePanel />
          {hasPassword ? <PasswordPanel /> : <NoPasswordPanel />}
        </Stack>
        <Stack gap="md">
          <SecondFactorPanel />
          <SessionsPanel />
          {canChange && <TemplatesPanel />}
          <ThemePanel />
          <LanguagePanel />
        </Stack>
      </SimpleGrid>
    </>
  );
}

/** For users who sign in by an OpenID provider alone. */
function NoPasswordPanel() {
  return (
    <Panel title={t`Password`}>
      <Trans>You have no password. An administrator can send you a link to set one.</Trans>
    </Panel>
  );
}

function ProfilePanel() {
  const { email, role, concurrency, created_at } = useUser();
  return (
    <Panel title={t`Profile`}>
      <DescriptionList
        items={[
          [t`E-mail`, email],
          [t`Role`, ROLE_LABELS[role]],
          [t`Limit`, t`${formatCount(concurrency)} concurrent requests, all your keys together`],
          [t`Member since`, <DateTime key="since" at={created_at} as="day" />],
        ]}
      />
    </Panel>
  );
}

const SCHEMES: readonly { readonly value: MantineColorScheme; readonly label: string }[] = [
  { value: 'light', label: t`Light` },
  { value: 'dark', label: t`Dark` },
  { value: 'auto', label: t`System` },
];

/** The same choice as in the account menu. */
function ThemePanel() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Panel title={t`Theme`} description={t`For this browser.`}>
      <SegmentedControl
        aria-label={t`Theme`}
        size="sm"
        data={[...SCHEMES]}
        value={colorScheme}
        onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
      />
    </Panel>
  );
}

/** The same choice as in the account menu. */
function LanguagePanel() {
  return (
    <Panel title={t`Language`} description={t`For this browser.`}>
      <NativeSelect
        aria-label={t`Language`}
        maw={240}
        data={LANGUAGES.map(([value, label]) => ({ value, label }))}
        value={i18n.locale}
        onChange={(event) => chooseLanguage(event.currentTarget.value)}
      />
    </Panel>
  );
}
