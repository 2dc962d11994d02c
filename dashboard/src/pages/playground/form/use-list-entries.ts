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
      announce(`Entry ${items.length + 1} is new.`);
      write([...items, item]);
    },
    move(index, by) {
      const to = index + by;
      const atEnd = to === 0 || to === items.length - 1;
      const pressed = by === -1 ? 'up' : 'down';
      // At either end, the pressed button becomes disabled.
      nextFocus.current = [to, atEnd ? (by === -1 ? 'down' : 'up') : pressed];
      announce(`Entry ${index + 1} is now entry ${to + 1} of ${items.length}.`);
      write(items.with(index, items[to]!).with(to, items[index]!));
    },
    remove(index) {
      const left = items.length - 1;
      nextFocus.current = left === 0 ? [0, 'add'] : [Math.min(index, left - 1), 'remove'];
      announce(`Entry ${index + 1} is removed; ${left} left.`);
      write(items.toSpliced(index, 1));
    },
  };
}

function focusEntry(root: HTMLElement, index: number, target: FocusTarget): void {
  const within = (selector: string) => root.querySelector<HTMLElement>(`:scope > ${selector}`);
  const entry = `ol > li:nth-child(${index + 1})`;
  const head = (part: FocusTarget) => within(`${entry} > div > [data-part="${part}"]`);
  if (target === 'add') (within('[data-add]') ?? within('* [data-add]'))?.focus();
  else if (target === 'first') {
    const field = within(`${entry} > [data-part="fields"] :is(input:not([type=hidden]), textarea)`);
    (field ?? head('remove'))?.focus();
  } else head(target)?.focus();
}
