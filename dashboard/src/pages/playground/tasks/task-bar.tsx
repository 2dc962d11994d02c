import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import classes from './tasks.module.css';
import { TASK_NAMES, TASKS, type TaskName } from './tasks.ts';

interface TaskBarProps {
  /** null: all options are shown. */
  readonly task: TaskName | null;
  readonly disabled: boolean;
  readonly onTask: (task: TaskName | null) => void;
}

/** One-click tasks: each fills the request, and shows only the fields that it needs. */
export function TaskBar({ task, disabled, onTask }: TaskBarProps) {
  return (
    <fieldset className={classes.bar} aria-label={t`Task`} disabled={disabled}>
      {[...TASK_NAMES, null].map((name) => (
        <Button
          key={name}
          size="xs"
          radius="xl"
          variant={name === task ? 'filled' : 'default'}
          aria-pressed={name === task}
          onClick={() => onTask(name)}
        >
          {name === null ? t`All options` : TASKS[name].label}
        </Button>
      ))}
    </fieldset>
  );
}
