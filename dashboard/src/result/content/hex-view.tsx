import { useMemo, useState } from 'react';
import { formatCount } from '../../ui/format.ts';
import classes from './content-panel.module.css';
import { HEX_PART_BYTES, hexRows } from './hex-rows.ts';
import { PartPager } from './part-pager.tsx';

/** Bytes as people read them: offset, hexadecimal, and the letters among them. */
export function HexView({ base64 }: { readonly base64: string }) {
  const [part, setPart] = useState(0);
  const bytes = useMemo(() => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)), [base64]);
  const from = part * HEX_PART_BYTES;
  const shown = bytes.subarray(from, from + HEX_PART_BYTES);
  return (
    <>
      <div className={classes.tools}>
        <span className={classes.note}>{formatCount(bytes.length)} bytes</span>
        <span className={classes.gap} />
        <PartPager part={part} parts={Math.ceil(bytes.length / HEX_PART_BYTES)} onPart={setPart}>
          bytes {formatCount(from)} to {formatCount(from + shown.length - 1)}
        </PartPager>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.hex} tabIndex={0} aria-label="Bytes">
        <pre>{hexRows(shown, from)}</pre>
      </section>
    </>
  );
}
