import { t } from '@lingui/core/macro';
import { ActionIcon } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { loadChunk } from '../app/lazy.ts';
import { IconBell } from '../ui/icons.tsx';

const UnreadCount = lazy(async () => {
  const { UnreadCount } = await loadChunk(() => import('./unread-count.tsx'));
  return { default: UnreadCount };
});

/** The first page does not wait for the count. */
const FIRST_COUNT_MS = 3_000;

interface BellProps {
  readonly opened: boolean;
  readonly onOpen: () => void;
}

/** Opens the notifications, and soon shows how many are not read. */
export function Bell({ opened, onOpen }: BellProps) {
  const [isCounted, setCounted] = useState(false);
  const [label, setLabel] = useState(t`Notifications`);
  useEffect(() => {
    const timer = setTimeout(() => setCounted(true), FIRST_COUNT_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <ActionIcon
      size={38}
      style={{ overflow: 'visible' }}
      onClick={onOpen}
      aria-label={label}
      aria-haspopup="dialog"
      aria-expanded={opened}
    >
      <IconBell size={19} />
      {isCounted && (
        <Suspense fallback={null}>
          <UnreadCount onLabel={setLabel} />
        </Suspense>
      )}
    </ActionIcon>
  );
}
