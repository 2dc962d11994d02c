import { Text } from '@mantine/core';
import type { ApiKey } from '../../api/keys.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { formatRelative } from '../../ui/format.ts';
import { IconBlocked, IconCircleCheck, IconClock } from '../../ui/icons.tsx';
import { Pill } from '../../ui/pill.tsx';
import { keyState } from './key-state.ts';
import classes from './keys.module.css';

/** Whether the key works, and until when. */
export function KeyStatus({ of: key }: { readonly of: ApiKey }) {
  const now = Date.now();
  const state = keyState(key, now);
  if (state === 'revoked') return <Ended word="Revoked" at={key.revoked_at} />;
  if (state === 'expired') return <Ended word="Expired" at={key.expires_at} />;
  if (key.expires_at === null) return <Working />;
  if (state === 'expiring') {
    return (
      <Pill tone="amber" icon={IconClock}>
        Expires {formatRelative(key.expires_at, now)}
      </Pill>
    );
  }
  return (
    <>
      <Working />
      <Text size="xs" c="dimmed" component="div" className={classes.until}>
        until <DateTime at={key.expires_at} as="day" />
      </Text>
    </>
  );
}

function Working() {
  return (
    <Pill tone="green" icon={IconCircleCheck}>
      Active
    </Pill>
  );
}

function Ended({ word, at }: { readonly word: string; readonly at: string | null }) {
  return (
    <>
      <Pill tone="slate" icon={IconBlocked}>
        {word}
      </Pill>
      <Text size="xs" c="dimmed" component="div" className={classes.until}>
        <DateTime at={at} as="relative" />
      </Text>
    </>
  );
}
