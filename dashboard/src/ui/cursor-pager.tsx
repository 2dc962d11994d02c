import { Button, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from './icons.tsx';

interface CursorPagerProps {
  /** Of the page that is shown; undefined: the first. */
  readonly cursor: string | undefined;
  /** Of the page after it; null: there is none. */
  readonly nextCursor: string | null;
  /** To be written to the URL; undefined: the first page. */
  readonly onCursor: (cursor: string | undefined) => void;
  /** To the page before; undefined: which one that was is not known. */
  readonly onNewer?: (() => void) | undefined;
}

/** Through a list that is paged by cursors, which lead to older ones only; the way back is the caller's to know. */
export function CursorPager({ cursor, nextCursor, onCursor, onNewer }: CursorPagerProps) {
  if (cursor === undefined && nextCursor === null) return null;
  return (
    <Group component="nav" aria-label="Pages" justify="flex-end" gap="xs" px="md" py="sm">
      <Button
        variant="default"
        size="xs"
        mr="auto"
        disabled={cursor === undefined}
        onClick={() => onCursor(undefined)}
      >
        Newest
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconChevronLeft size={15} />}
        disabled={cursor === undefined || onNewer === undefined}
        onClick={onNewer}
      >
        Newer
      </Button>
      <Button
        variant="default"
        size="xs"
        rightSection={<IconChevronRight size={15} />}
        disabled={nextCursor === null}
        onClick={() => onCursor(nextCursor ?? undefined)}
      >
        Older
      </Button>
    </Group>
  );
}
