import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Stack, Tabs, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';
import { IconLock } from './icons.tsx';

interface CodeBlockProps {
  readonly code: string;
  /** Label of the region: `curl`. */
  readonly label: string;
  readonly wrap?: boolean;
}

/** Code with a copy button. */
export function CodeBlock({ code, label, wrap = false }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <section className={classes.code} data-wrap={wrap || undefined} tabIndex={0} aria-label={label}>
        <pre>
          <code>{code}</code>
        </pre>
      </section>
      <div className={classes.copy}>
        <CopyButton value={code} label={t`Copy ${label}`} />
      </div>
    </div>
  );
}

export interface CodeTab {
  readonly label: string;
  readonly code: string;
}

/** The same code in several languages. */
export function CodeTabs({ tabs, name }: { readonly tabs: readonly CodeTab[]; readonly name: string }) {
  return (
    <Tabs defaultValue={tabs[0]?.label ?? null} className={classes.tabs} keepMounted={false}>
      <Tabs.List aria-label={name}>
        {tabs.map(({ label }) => (
          <Tabs.Tab key={label} value={label}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ label, code }) => (
        <Tabs.Panel key={label} value={label} pt="xs">
          <CodeBlock code={code} label={label} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

interface OneTimeSecretProps {
  /** Names the secret: `API key`. */
  readonly label: string;
  readonly secret: string;
  /** Explains what to do with it. */
  readonly children: ReactNode;
}

/** A secret that can only be shown once. */
export function OneTimeSecret({ label, secret, children }: OneTimeSecretProps) {
  return (
    <Stack gap="xs" className={classes.secretBox}>
      <Group gap={8} wrap="nowrap" c="var(--sl-amber)">
        <IconLock size={17} />
        <Text fw={600} size="sm">
          <Trans>Shown only now</Trans>
        </Text>
      </Group>
      <Text size="sm" c="var(--sl-text-soft)">
        {children}
      </Text>
      <Group gap={8}>
        {/* biome-ignore lint/a11y/useSemanticElements: <output> is for results of calculations */}
        <code className={classes.secret} role="group" aria-label={label}>
          {secret}
        </code>
        <CopyButton value={secret} label={t`Copy the ${label}`} text={t`Copy`} />
      </Group>
    </Stack>
  );
}
