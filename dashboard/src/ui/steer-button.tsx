import { Button } from '@mantine/core';
import type { Icon } from './icons.tsx';

interface SteerButtonProps {
  readonly icon: Icon;
  readonly label: string;
  readonly variant?: 'default' | 'filled';
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

/** A button at the head of a page, for what the page shows. */
export const SteerButton = ({ icon: ButtonIcon, label, variant = 'default', ...rest }: SteerButtonProps) => (
  <Button variant={variant} leftSection={<ButtonIcon size={16} />} {...rest}>
    {label}
  </Button>
);
