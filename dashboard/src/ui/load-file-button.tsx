import { Trans } from '@lingui/react/macro';
import { Button, FileButton } from '@mantine/core';
import { IconFile } from './icons.tsx';
import { notifyError } from './notice.tsx';

interface LoadFileButtonProps {
  /** Of `<input>`. Default: lists of URLs. */
  readonly accept?: string;
  readonly onLoad: (text: string) => void;
}

/** Reads the text of a file. */
export function LoadFileButton({
  accept = '.txt,.csv,.tsv,.jsonl,.ndjson,text/plain,text/csv',
  onLoad,
}: LoadFileButtonProps) {
  return (
    <FileButton
      accept={accept}
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
