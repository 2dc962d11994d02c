import { Trans } from '@lingui/react/macro';
import { Button, FileButton } from '@mantine/core';
import { IconFile } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notice.tsx';

/** Reads a list of URLs from a file. */
export function LoadFileButton({ onLoad }: { readonly onLoad: (text: string) => void }) {
  return (
    <FileButton
      accept=".txt,.csv,.tsv,.jsonl,.ndjson,text/plain,text/csv"
      onChange={(file) => {
        if (file !== null) file.text().then(onLoad, notifyError);
      }}
    >
      {(props) => (
        <Button {...props} variant="default" leftSection={<IconFile size={16} />}>
          <Trans>Load a file</Trans>
        </Button>
      )}
    </FileButton>
  );
}
