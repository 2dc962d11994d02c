import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';
import type { Icon } from './icons.tsx';

interface EmptyStateProps {
  readonly icon: Icon;
  readonly title: string;
  /** What this place is for, and what makes something appear here. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
  /** Of the heading; default 2. */
  readonly level?: 1 | 2 | 3;
}

/** What a place shows that has nothing to show: it teaches. */
export function EmptyState({ icon: Ornament, title, children, action, level = 2 }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <span className={classes.icon}>
        <Ornament size={22} />
      </span>
      <Title order={level} className={classes.title}>
        {title}
      </Title>
      <div className={classes.text}>{children}</div>
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}
