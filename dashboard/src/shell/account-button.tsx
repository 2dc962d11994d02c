import { Trans } from '@lingui/react/macro';
import { UnstyledButton, type UnstyledButtonProps, VisuallyHidden } from '@mantine/core';
import { type ComponentPropsWithRef, lazy, Suspense, useState } from 'react';
import { ROLE_LABELS, useUser } from '../api/session.ts';
import { loadChunk } from '../app/lazy.ts';
import { IconSelector } from '../ui/icons.tsx';
import classes from './account-button.module.css';

const AccountMenu = lazy(async () => {
  const { AccountMenu } = await loadChunk(() => import('./account-menu.tsx'));
  return { default: AccountMenu };
});

/** Shows who is signed in, and opens the menu, whose code is loaded with the first click. */
export function AccountButton() {
  const [wanted, setWanted] = useState(false);
  if (!wanted) return <Target aria-haspopup="menu" aria-expanded={false} onClick={() => setWanted(true)} />;
  return (
    <Suspense fallback={<Target aria-haspopup="menu" aria-expanded={false} />}>
      <AccountMenu target={<Target />} />
    </Suspense>
  );
}

function Target(props: UnstyledButtonProps & ComponentPropsWithRef<'button'>) {
  const user = useUser();
  const role = ROLE_LABELS[user.role];
  return (
    <UnstyledButton {...props} className={classes.target}>
      <VisuallyHidden>
        <Trans>Account of</Trans>
      </VisuallyHidden>
      <span className={classes.initial} aria-hidden="true">
        {[...user.email][0]?.toUpperCase()}
      </span>
      <span className={classes.text}>
        <span className={classes.email}>{user.email}</span>
        <span className={classes.role}>{role}</span>
      </span>
      <IconSelector size={16} className={classes.selector} />
    </UnstyledButton>
  );
}
