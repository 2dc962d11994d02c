import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from './icons.tsx';
import { useCopy } from './use-copy.ts';

interface CopyButtonProps {
  readonly value: string;
  /** What it does, for those who do not see the icon: `Copy the request id`. */
  readonly label: string;
  /** Makes it a button with this text; without, it is an icon. */
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
          {copied ? 'Copied' : text}
        </Button>
      )}
      <VisuallyHidden role="status">{copied ? 'Copied' : ''}</VisuallyHidden>
    </>
  );
}
