import { Box, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import classes from './page-header.module.css';

/** Sets the title of the browser tab. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Sluice`;
  }, [title]);
}

interface PageHeaderProps {
  /** The `h1` of the page, and the title of the browser tab. */
  readonly title: string;
  readonly description?: ReactNode;
  /** A link above the title to the page above this one. */
  readonly back?: ReactNode;
  readonly actions?: ReactNode;
}

export function PageHeader({ title, description, back, actions }: PageHeaderProps) {
  usePageTitle(title);
  return (
    <header className={classes.header}>
      <Box miw={0} flex="1 1 12rem">
        {back !== undefined && <Box mb={6}>{back}</Box>}
        <Title order={1} className={classes.title}>
          {title}
        </Title>
        {description !== undefined && (
          <Text c="dimmed" mt={4} maw="68ch" className={classes.description}>
            {description}
          </Text>
        )}
      </Box>
      {actions !== undefined && (
        <Group gap="xs" className={classes.actions}>
          {actions}
        </Group>
      )}
    </header>
  );
}
