import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Group, Text } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { formatCount } from '../../ui/format.ts';
import { IconChevronLeft, IconChevronRight } from '../../ui/icons.tsx';
import classes from './content-panel.module.css';

/** A hex dump: offset, hexadecimal bytes, and printable characters. */
export function HexView({ base64 }: { readonly base64: string }) {
  const [part, setPart] = useState(0);
  const bytes = useMemo(() => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)), [base64]);
  const from = part * HEX_PART_BYTES;
  const shown = bytes.subarray(from, from + HEX_PART_BYTES);
  return (
    <>
      <div className={classes.tools}>
        <span className={classes.note}>
          <Trans>{formatCount(bytes.length)} bytes</Trans>
        </span>
        <span className={classes.gap} />
        <PartPager part={part} parts={Math.ceil(bytes.length / HEX_PART_BYTES)} onPart={setPart}>
          <Trans>
            bytes {formatCount(from)} to {formatCount(from + shown.length - 1)}
          </Trans>
        </PartPager>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <section className={classes.hex} tabIndex={0} aria-label={t`Bytes`}>
        <pre>{hexRows(shown, from)}</pre>
      </section>
    </>
  );
}

/** Number of bytes shown at once. */
const HEX_PART_BYTES = 8 * 1024;
const ROW_BYTES = 16;

/** Rows such as `00000010  48 65 6c 6c 6f …  |Hello…|`. @param offset of the first byte in the whole content */
function hexRows(bytes: Uint8Array, offset: number): string {
  const rows: string[] = [];
  for (let start = 0; start < bytes.length; start += ROW_BYTES) {
    const row = bytes.subarray(start, start + ROW_BYTES);
    const hex = Array.from(row, (byte) => byte.toString(16).padStart(2, '0'));
    const left = hex.slice(0, 8).join(' ').padEnd(23);
    const right = hex.slice(8).join(' ').padEnd(23);
    const characters = Array.from(row, (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
    );
    const address = (offset + start).toString(16).padStart(8, '0');
    rows.push(`${address}  ${left}  ${right}  |${characters.join('')}|`);
  }
  return rows.join('\n');
}

interface PartPagerProps {
  readonly part: number;
  readonly parts: number;
  readonly onPart: (part: number) => void;
  /** Describes the current part: `bytes 0 to 4,095`. */
  readonly children: ReactNode;
}

/** A pager for a content that is too long to be shown at once. */
export function PartPager({ part, parts, onPart, children }: PartPagerProps) {
  if (parts < 2) return null;
  return (
    <Group gap={6} wrap="nowrap">
      <ActionIcon
        size={28}
        aria-label={t`Previous part`}
        disabled={part === 0}
        onClick={() => onPart(part - 1)}
      >
        <IconChevronLeft size={16} />
      </ActionIcon>
      <Text size="xs" c="var(--sl-text-soft)" className="tabular" role="status">
        <Trans>
          Part {part + 1} of {parts}: {children}
        </Trans>
      </Text>
      <ActionIcon
        size={28}
        aria-label={t`Next part`}
        disabled={part === parts - 1}
        onClick={() => onPart(part + 1)}
      >
        <IconChevronRight size={16} />
      </ActionIcon>
    </Group>
  );
}
