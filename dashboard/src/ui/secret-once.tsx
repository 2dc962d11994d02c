import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import { IconLock } from './icons.tsx';
import classes from './secret-once.module.css';

interface SecretOnceProps {
  /** What it is: `API key`. */
  readonly label: string;
  readonly secret: string;
  /** What to do with it now. */
  readonly children: ReactNode;
}

/** A secret that is shown this one time. */
export function SecretOnce({ label, secret, children }: SecretOnceProps) {
  return (
    <Stack gap="xs" className={classes.box}>
      <Group gap={8} wrap="nowrap" c="var(--sl-amber)">
        <IconLock size={17} />
        <Text fw={600} size="sm">
          Shown only now
        </Text>
      </Group>
      <Text size="sm" c="var(--sl-text-soft)">
        {children}
      </Text>
      <div className={classes.row}>
        {/* biome-ignore lint/a11y/useSemanticElements: an output is for results of calculations */}
        <code className={classes.secret} role="group" aria-label={label}>
          {secret}
        </code>
        <CopyButton value={secret} label={`Copy the ${label}`} text="Copy" />
      </div>
    </Stack>
  );
}
