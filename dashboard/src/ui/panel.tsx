import { Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  readonly title?: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** Without padding, for content that reaches the edges, such as a table. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A card with a heading. */
export function Panel({ title, description, actions, flush = false, children }: PanelProps) {
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <Group className={classes.head} justify="space-between" wrap="nowrap" align="flex-start">
          <div>
            <Title order={2} id={id} className={classes.title}>
              {title}
            </Title>
            {description !== undefined && <p className={classes.description}>{description}</p>}
          </div>
          {actions !== undefined && (
            <Group gap="xs" wrap="nowrap">
              {actions}
            </Group>
          )}
        </Group>
      )}
      <div className={flush ? classes.flush : classes.body}>{children}</div>
    </section>
  );
}
