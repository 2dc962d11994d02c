import { Center } from '@mantine/core';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconCompass } from '../ui/icons.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { usePageTitle } from './page-title.ts';

export function NotFoundPage() {
  usePageTitle('Not found');
  return (
    <Center mih="60vh" p="lg">
      <EmptyState
        level={1}
        icon={IconCompass}
        title="Page not found"
        action={<ButtonLink to="/">Open the overview</ButtonLink>}
      >
        The link may be old, or your role has no access to this page.
      </EmptyState>
    </Center>
  );
}
