import { ActionIcon, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconChevronLeft, IconChevronRight } from '../../ui/icons.tsx';

interface PartPagerProps {
  readonly part: number;
  readonly parts: number;
  readonly onPart: (part: number) => void;
  /** What is shown: `bytes 0 to 4,095`. */
  readonly children: ReactNode;
}

/** Through a content that is too long to be on the page at once. */
export function PartPager({ part, parts, onPart, children }: PartPagerProps) {
  if (parts < 2) return null;
  return (
    <Group gap={6} wrap="nowrap">
      <ActionIcon size={28} aria-label="Part before" disabled={part === 0} onClick={() => onPart(part - 1)}>
        <IconChevronLeft size={16} />
      </ActionIcon>
      <Text size="xs" c="var(--sl-text-soft)" className="tabular" role="status">
        Part {part + 1} of {parts}: {children}
      </Text>
      <ActionIcon
        size={28}
        aria-label="Next part"
        disabled={part === parts - 1}
        onClick={() => onPart(part + 1)}
      >
        <IconChevronRight size={16} />
      </ActionIcon>
    </Group>
  );
}
