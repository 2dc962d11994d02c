import { t } from '@lingui/core/macro';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Json } from '../model/json.ts';

/** The element of an entry that gets the focus; `add`: the button that adds an entry. */
type FocusTarget = 'first' | 'up' | 'down' | 'remove' | 'add';

interface ListEntries {
  readonly root: RefObject<HTMLFieldSetElement | null>;
  /** Describes the last change for screen readers. */
  readonly announcement: string;
  add(item: Json): void;
  move(index: number, by: -1 | 1): void;
  remove(index: number): void;
}

/** Adds, moves and removes entries of a list, and keeps the focus at the changed entry. */
export function useListEntries(items: readonly Json[], write: (next: readonly Json[]) => void): ListEntries {
  const root = useRef<HTMLFieldSetElement>(null);
  const nextFocus = useRef<readonly [index: number, target: FocusTarget] | null>(null);
  const [announcement, announce] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run when the list has changed
  useEffect(() => {
    if (nextFocus.current === null || root.current === null) return;
    focusEntry(root.current, ...nextFocus.current);
    nextFocus.current = null;
  }, [items]);
  return {
    root,
    announcement,
    add(item) {
      nextFocus.current = [items.length, 'first'];
      announce(t`Entry ${items.length + 1} is new.`);
      write([...items, item]);
    },
    move(index, by) {
      const to = index + by;
      const [pressed, opposite] = by === -1 ? (['up', 'down'] as const) : (['down', 'up'] as const);
      const isLastMove = to === 0 || to === items.length - 1;
      // At either end of the list, the pressed button becomes disabled.
      nextFocus.current = [to, isLastMove ? opposite : pressed];
      announce(t`Entry ${index + 1} is now entry ${to + 1} of ${items.length}.`);
      write(items.with(index, items[to]!).with(to, items[index]!));
    },
    remove(index) {
      const remaining = items.length - 1;
      nextFocus.current = remaining === 0 ? [0, 'add'] : [Math.min(index, remaining - 1), 'remove'];
      announce(t`Entry ${index + 1} is removed; ${remaining} left.`);
      write(items.toSpliced(index, 1));
    },
  };
}

function focusEntry(root: HTMLElement, index: number, target: FocusTarget): void {
  // Only in this list, not in lists inside of its entries.
  const within = (selector: string) => root.querySelector<HTMLElement>(`:scope > ${selector}`);
  const entry = `ol > li:nth-child(${index + 1})`;
  const button = (part: FocusTarget) => within(`${entry} > div > [data-part="${part}"]`);
  if (target === 'add') (within('[data-add]') ?? within('* [data-add]'))?.focus();
  else if (target === 'first') {
    const field = within(`${entry} > [data-part="fields"] :is(input:not([type=hidden]), textarea)`);
    (field ?? button('remove'))?.focus();
  } else button(target)?.focus();
}
