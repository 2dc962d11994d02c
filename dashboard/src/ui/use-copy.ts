import { useEffect, useState } from 'react';

const SHOWN_MS = 1_800;

/** Puts a text on the clipboard, and tells for a moment that it did. */
export function useCopy(): { readonly copied: boolean; readonly copy: (text: string) => Promise<void> } {
  const [copiedAt, setCopiedAt] = useState(0);
  useEffect(() => {
    if (copiedAt === 0) return;
    const timer = setTimeout(() => setCopiedAt(0), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copiedAt]);
  const copy = async (text: string) => {
    if (await write(text)) setCopiedAt(Date.now());
  };
  return { copied: copiedAt !== 0, copy };
}

async function write(text: string): Promise<boolean> {
  // Without TLS and away from localhost browsers hide the clipboard; the old way still works there.
  if (navigator.clipboard === undefined) return writeTheOldWay(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writeTheOldWay(text);
  }
}

function writeTheOldWay(text: string): boolean {
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside of a dialog, because dialogs keep the focus.
  (before?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}
