import { useEffect, useEffectEvent, useRef } from 'react';

/** What was typed, as far as it can be used without the field. */
export interface EarlyKeys {
  readonly text: string;
  /** Enter was pressed; what was typed afterwards is left out. */
  readonly entered: boolean;
}

const NONE: EarlyKeys = { text: '', entered: false };

/**
 * Collects what is typed after a dialog was opened and before its field has the focus: its code may still be loading.
 * @returns to be called when the field has the focus: returns what was typed, and ends the collection
 */
export function useEarlyKeys(opened: boolean, onEscape: () => void): () => EarlyKeys {
  const keys = useRef<EarlyKeys>(NONE);
  const stop = useRef<AbortController>(null);
  const cancel = useEffectEvent(onEscape);
  useEffect(() => {
    if (!opened) return;
    const collection = new AbortController();
    stop.current = collection;
    keys.current = NONE;
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey } = event;
      // With AltGr, some keyboards type `@`.
      if (metaKey || (ctrlKey && !event.getModifierState('AltGraph'))) return;
      const { text, entered } = keys.current;
      if (key === 'Escape') cancel();
      else if (key === 'Enter') keys.current = { text, entered: true };
      else if (key === 'Backspace') keys.current = { text: text.slice(0, -1), entered };
      else if ([...key].length === 1) keys.current = entered ? keys.current : { text: text + key, entered };
      else return;
      // Neither the page behind nor a shortcut gets the key.
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', onKeyDown, { capture: true, signal: collection.signal });
    return () => collection.abort();
  }, [opened]);
  return () => {
    const typed = stop.current?.signal.aborted === false ? keys.current : NONE;
    stop.current?.abort();
    return typed;
  };
}
