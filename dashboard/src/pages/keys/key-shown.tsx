import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CreatedKey } from '../../api/keys.ts';
import { BASE_PATH } from '../../app/page-config.ts';
import { CodeBlock, CodeTabs, OneTimeSecret } from '../../ui/code-block.tsx';
import classes from './keys.module.css';
import { snippets } from './snippets.ts';

interface KeyShownProps {
  readonly created: CreatedKey;
  /** What else has to be known now. */
  readonly children?: ReactNode;
  readonly onDone: () => void;
}

/** A new key, this one time, and how to use it. */
export function KeyShown({ created, children, onDone }: KeyShownProps) {
  const baseUrl = `${location.origin}${BASE_PATH}`;
  return (
    <div className={classes.form}>
      <Stack className={classes.fields} role="status">
        <OneTimeSecret label="API key" secret={created.key}>
          Copy it now. Only a hash is stored, so it cannot be shown again; you can always create another.
        </OneTimeSecret>
        {children}
        <div>
          <h3 className={classes.part}>Set the environment variable</h3>
          <Text size="sm" c="dimmed" mb="xs">
            Never put it into code or version control.
          </Text>
          <CodeBlock label="environment" code={`export SLUICE_API_KEY='${created.key}'`} wrap />
        </div>
        <div>
          <h3 className={classes.part}>Send a first request</h3>
          <CodeTabs name="Languages" tabs={snippets(created, baseUrl)} />
        </div>
      </Stack>
      <div className={classes.foot}>
        <Button onClick={onDone} data-autofocus>
          Done
        </Button>
      </div>
    </div>
  );
}
