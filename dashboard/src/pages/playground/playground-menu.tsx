import { Button } from '@mantine/core';
import { useCopy } from '../../ui/copy-button.tsx';
import { IconCheck, IconLink, IconRotate } from '../../ui/icons.tsx';
import { notifySuccess } from '../../ui/notice.tsx';
import { LONGEST_LINK, sharedFragment } from './model/share-link.ts';
import classes from './playground.module.css';

interface PlaygroundMenuProps {
  readonly text: string;
  readonly onReset: () => void;
}

/** What can be done with the request as a whole. */
export function PlaygroundMenu({ text, onReset }: PlaygroundMenuProps) {
  const { copied, copy } = useCopy();
  const share = async () => {
    const link = `${location.origin}${location.pathname}#${sharedFragment(text)}`;
    await copy(link);
    const long = link.length > LONGEST_LINK ? ' It is long: some programs cut it.' : '';
    notifySuccess(`Link copied. It holds the whole request, also its headers, cookies and body.${long}`);
  };
  return (
    <>
      <Button
        variant="default"
        className={classes.menuButton}
        aria-label="Copy a link"
        leftSection={copied ? <IconCheck size={16} /> : <IconLink size={16} />}
        onClick={() => void share()}
      >
        <span className={classes.wideOnly}>Copy a link</span>
      </Button>
      <Button
        variant="default"
        className={classes.menuButton}
        aria-label="Reset"
        leftSection={<IconRotate size={16} />}
        onClick={onReset}
      >
        <span className={classes.wideOnly}>Reset</span>
      </Button>
    </>
  );
}
