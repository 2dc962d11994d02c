import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from '../ui/icons.tsx';
import classes from './signed-out-page.module.css';

interface SignedOutPageProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** Shown below the card: help for users who cannot sign in. */
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of the pages that need no session. */
export function SignedOutPage({ title, description, foot, children }: SignedOutPageProps) {
  return (
    <main className={classes.page}>
      <div className={classes.column}>
        <div className={classes.head}>
          <Logo size={40} />
          <Title order={1} className={classes.title}>
            {title}
          </Title>
          {description !== undefined && <p className={classes.description}>{description}</p>}
        </div>
        <div className={classes.card}>{children}</div>
        {foot !== undefined && <p className={classes.foot}>{foot}</p>}
      </div>
    </main>
  );
}
