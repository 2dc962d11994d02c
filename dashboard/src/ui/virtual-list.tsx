import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { defaultRangeExtractor, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import {
  Fragment,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import tableClasses from './data-table.module.css';
import { type Column, TableHead } from './data-table.tsx';
import { IconArrowUp } from './icons.tsx';
import classes from './virtual-list.module.css';

/** The `ref` of each row: its height is measured. */
export type MeasureRow = (row: HTMLElement | null) => void;

interface VirtualListProps<Item> {
  /** Names the list for screen readers. */
  readonly label: string;
  /** With classes that give widths, because they must not change with the rows in view; null: a list, not a table. */
  readonly columns: readonly Column[] | null;
  readonly items: readonly Item[];
  /** Unique, and always the same for an item. */
  readonly keyOf: (item: Item) => string;
  /** Height of most rows in px, with their borders. */
  readonly rowHeight: number;
  /** Whether no more items can follow. */
  readonly complete: boolean;
  /** Loads more items. Called while the end of the list is near, also repeatedly; undefined: not now. */
  readonly onEnd: (() => void) | undefined;
  /** Called with whether the top of the list is not scrolled out of view. */
  readonly onTop?: ((isAtTop: boolean) => void) | undefined;
  /** Returns a `<tr>` with the attributes `tableRow(index)`, or an `<li>` with `listItem(index)`. */
  readonly children: (item: Item, index: number, measure: MeasureRow) => ReactNode;
}

/** Attributes of a `<tr>`. The head of the table is the first row. */
export const tableRow = (index: number) => ({ 'data-index': index, 'aria-rowindex': index + 2 });

/** Attributes of an `<li>`. */
export const listItem = (index: number) => ({
  'data-index': index,
  'aria-posinset': index + 1,
  'aria-setsize': UNKNOWN,
});

/** In ARIA, a number of rows that is not known. */
const UNKNOWN = -1;
/** Rows rendered above and below those in view. */
const OVERSCAN = 12;
/** The end is near if fewer rows follow. */
const ROWS_AHEAD = 100;

/** A table or a list of any length, which scrolls with the page. Only the rows near those in view are in the DOM. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { label, columns, items, complete, onTop, children } = props;
  const container = useRef<HTMLElement>(null);
  const [marker, isAtTop] = useIsAtTop(onTop);
  const { rows, start, end, measure } = useRowsInView(props, container);
  const Space = columns === null ? 'li' : 'tr';
  const content: ReactNode[] = [];
  let filledTo = start;
  const fillTo = (position: number, key: string) => {
    const height = position - filledTo;
    if (height > 0)
      content.push(<Space key={key} aria-hidden="true" className={classes.space} style={{ height }} />);
  };
  for (const row of rows) {
    fillTo(row.start, content.length === 0 ? 'above' : `before ${row.key}`);
    content.push(<Fragment key={row.key}>{children(items[row.index]!, row.index, measure)}</Fragment>);
    filledTo = row.end;
  }
  fillTo(end, 'below');
  return (
    <section className={classes.list} aria-label={label} tabIndex={-1}>
      <div ref={marker} />
      {columns === null ? (
        <ul ref={container as RefObject<HTMLUListElement>} aria-label={label}>
          {content}
        </ul>
      ) : (
        <table
          className={`${tableClasses.table} ${classes.table}`}
          aria-rowcount={complete ? items.length + 1 : UNKNOWN}
        >
          <caption>{label}</caption>
          <thead>
            <tr aria-rowindex={1}>
              <TableHead columns={columns} />
            </tr>
          </thead>
          <tbody ref={container as RefObject<HTMLTableSectionElement>}>{content}</tbody>
        </table>
      )}
      {!isAtTop && <JumpToTop />}
    </section>
  );
}

/** The measured rows of the list that was left last: after Back, each row is where it was. */
let lastLeft: { readonly list: string; readonly rows: VirtualItem[] } | null = null;

/** The rows to render, and where they and the list begin and end on the page, in px. */
function useRowsInView<Item>(
  { label, columns, items, keyOf, rowHeight, onEnd }: VirtualListProps<Item>,
  container: RefObject<HTMLElement | null>,
) {
  const list = `${columns === null ? 'list' : 'table'} ${label}`;
  const start = useTopOnPage(container);
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: items.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keyOf(items[index]!),
    overscan: OVERSCAN,
    scrollMargin: start,
    initialMeasurementsCache: lastLeft?.list === list ? lastLeft.rows : [],
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      const focused = focusedIndex(container.current);
      // It stays in the DOM: otherwise, the keyboard focus would be lost.
      return focused === null || focused >= range.count || indexes.includes(focused)
        ? indexes
        : [...indexes, focused].sort((a, b) => a - b);
    },
  });
  useEffect(
    () => () => {
      lastLeft = { list, rows: virtualizer.takeSnapshot() };
    },
    [list, virtualizer],
  );
  const rows = virtualizer.getVirtualItems();
  const lastInView = virtualizer.range?.endIndex ?? 0;
  // Without dependencies: after a page without items, the end is as near as before.
  useEffect(() => {
    if (lastInView + ROWS_AHEAD >= items.length) onEnd?.();
  });
  return { rows, start, end: start + virtualizer.getTotalSize(), measure: virtualizer.measureElement };
}

/** Index of the row that has the focus, or contains the element that has it. */
function focusedIndex(container: HTMLElement | null): number | null {
  const row = container?.contains(document.activeElement) && document.activeElement?.closest('[data-index]');
  return row instanceof HTMLElement ? Number(row.dataset.index) : null;
}

/** Distance of an element from the top of the page, in px. It changes with the contents above it. */
function useTopOnPage(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const update = () => {
      if (element.current !== null)
        setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
    };
    update();
    const observer = new ResizeObserver(update);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}

/** Farther than any page is high. */
const BELOW = '0px 0px 10000000px 0px';

/** Whether the element with this ref is in view, or below it. */
function useIsAtTop(onTop: ((isAtTop: boolean) => void) | undefined) {
  const [isAtTop, setAtTop] = useState(true);
  const latest = useRef(onTop);
  latest.current = onTop;
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const isIntersecting = entries.at(-1)?.isIntersecting ?? true;
        setAtTop(isIntersecting);
        latest.current?.(isIntersecting);
      },
      { rootMargin: BELOW },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, isAtTop] as const;
}

function JumpToTop() {
  const jump = (button: HTMLElement) => {
    // The button disappears; the focus goes to the list.
    button.closest('section')?.focus({ preventScroll: true });
    window.scrollTo({ top: 0, behavior: 'instant' });
  };
  return (
    <div className={classes.jump}>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconArrowUp size={14} />}
        onClick={(event) => jump(event.currentTarget)}
      >
        <Trans>Jump to the top</Trans>
      </Button>
    </div>
  );
}
