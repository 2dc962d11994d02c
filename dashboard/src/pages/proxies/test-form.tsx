import { t } from '@lingui/core/macro';
import { Modal, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { fieldErrors, formError } from '../../api/client.ts';
import type { DialogState } from '../../ui/dialog.tsx';
import { VERBATIM } from '../../ui/input-props.ts';
import { ErrorNotice } from '../../ui/page-state.tsx';

interface TestDialogProps {
  /** Its subject is the name of the pool or vendor. */
  readonly dialog: DialogState<string>;
  readonly size: 'lg' | 'xl';
  readonly children: (name: string) => ReactNode;
}

/** The dialog of a test of a pool or vendor. */
export function TestDialog({ dialog, size, children }: TestDialogProps) {
  const { subject: name, opened, close, openCount } = dialog;
  return (
    <Modal opened={opened} onClose={close} title={t`Test “${name ?? ''}”`} size={size}>
      {name !== null && <div key={openCount}>{children(name)}</div>}
    </Modal>
  );
}

interface TestFormProps {
  /** What a test does. */
  readonly description: string;
  /** Of the last test. */
  readonly error: unknown;
  /** Fields that show their messages themselves, besides the URL. */
  readonly otherFields?: readonly string[];
  readonly onTest: (url: string) => void;
  /** The button, and the results. */
  readonly children: ReactNode;
}

const STORED_AS = 'sluice.test-url';

/** Asks for the URL of a test, which is kept for further tests in this tab. */
export function TestForm({ description, error, otherFields = [], onTest, children }: TestFormProps) {
  const [url, setUrl] = useState(() => sessionStorage.getItem(STORED_AS) ?? '');
  const [isMissing, setMissing] = useState(false);
  const known = ['url', ...otherFields];
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setMissing(url.trim() === '');
        if (url.trim() !== '') onTest(url.trim());
      }}
    >
      <Stack px="xs" pb="xs">
        <ErrorNotice error={formError(error, known)} />
        <TextInput
          label="URL"
          placeholder="https://example.com/"
          description={description}
          error={isMissing ? t`Enter a URL.` : fieldErrors(error, known).url}
          value={url}
          onChange={({ currentTarget: { value } }) => {
            sessionStorage.setItem(STORED_AS, value);
            setUrl(value);
          }}
          {...VERBATIM}
          data-autofocus
        />
        {children}
      </Stack>
    </form>
  );
}
