import { SimpleGrid, Stack } from '@mantine/core';
import { PageHeader } from '../../ui/page-header.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { ProfilePanel } from './profile-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { ThemePanel } from './theme-panel.tsx';

/** What concerns the one who is signed in. */
export function AccountPage() {
  return (
    <>
      <PageHeader title="Account" description="Your profile, password, sessions and theme." />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Stack gap="lg">
          <ProfilePanel />
          <PasswordPanel />
          <ThemePanel />
        </Stack>
        <div>
          <SessionsPanel />
        </div>
      </SimpleGrid>
    </>
  );
}
