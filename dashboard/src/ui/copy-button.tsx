import { t } from '@lingui/core/macro';
import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import { IconCheck, IconCopy } from './icons.tsx';

/** How long the button says that the text was copied. */
const COPIED_MS = 1_800;

/** Copies a text to the clipboard. `copied` is true for a moment afterwards. */
export function useCopy(): { readonly copied: boolean; readonly copy: (text: string) => Promise<void> } {
  const [copiedAt, setCopiedAt] = useState(0);
  useEffect(() => {
    if (copiedAt === 0) return;
    const timer = setTimeout(() => setCopiedAt(0), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copiedAt]);
  const copy = async (text: string) => {
    if (await writeClipboard(text)) setCopiedAt(Date.now());
  };
  return { copied: copiedAt !== 0, copy };
}

async function writeClipboard(text: string): Promise<boolean> {
  // Without TLS (except on localhost), browsers provide no clipboard API, but `execCommand` works.
  if (navigator.clipboard === undefined) return writeByExecCommand(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writeByExecCommand(text);
  }
}

function writeByExecCommand(text: string): boolean {
  const previousFocus = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside the dialog if there is one, because dialogs trap the focus.
  (previousFocus?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (previousFocus instanceof HTMLElement) previousFocus.focus();
  return copied;
}

interface CopyButtonProps {
  readonly value: string;
  /** Label for screen readers: `Copy the request id`. */
  readonly label: string;
  /** Text of the button; without it, the button is an icon. */
  readonly text?: string;
}

export function CopyButton({ value, label, text }: CopyButtonProps) {
  const { copied, copy } = useCopy();
  const Icon = copied ? IconCheck : IconCopy;
  const onClick = () => void copy(value);
  return (
    <>
      {text === undefined ? (
        <ActionIcon size={26} onClick={onClick} aria-label={label} title={label}>
          <Icon size={15} />
        </ActionIcon>
      ) : (
        <Button variant="default" leftSection={<Icon size={16} />} onClick={onClick}>
          {copied ? t`Copied` : text}
        </Button>
      )}
      <VisuallyHidden role="status">{copied ? t`Copied` : ''}</VisuallyHidden>
    </>
  );
}
