import { Switch } from '@mantine/core';
import classes from './history.module.css';

interface LiveSwitchProps {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

/** Whether the list brings itself up to date. */
export function LiveSwitch({ on, onChange }: LiveSwitchProps) {
  return (
    <Switch
      size="xs"
      className={classes.live}
      label={on ? 'Live' : 'Paused'}
      aria-label="Live"
      checked={on}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
