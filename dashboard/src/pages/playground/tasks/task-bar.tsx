import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { IconArrowRight } from '../../../ui/icons.tsx';
import classes from './tasks.module.css';
import { DESTINATIONS, TASK_NAMES, TASKS, type TaskName } from './tasks.ts';

interface TaskBarProps {
  /** null: all options are shown. */
  readonly task: TaskName | null;
  readonly disabled: boolean;
  readonly onTask: (task: TaskName | null) => void;
  /** The request as JSON, which is taken along to other forms. */
  readonly request: () => string;
}

/** One-click tasks: each fills the request, and shows only the fields that it needs. Others continue in another form. */
export function TaskBar({ task, disabled, onTask, request }: TaskBarProps) {
  const navigate = useNavigate();
  const button = (name: TaskName | null) => (
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
  );
  return (
    <fieldset className={classes.tasks} aria-label={t`Task`} disabled={disabled}>
      <div className={classes.bar}>
        {TASK_NAMES.filter((name) => name !== 'map').map(button)}
        {button(null)}
      </div>
      <div className={classes.bar}>
        <span className={classes.more}>
          <Trans>More than one scrape:</Trans>
        </span>
        {button('map')}
        {DESTINATIONS.map(({ to, label }) => (
          <Button
            key={to}
            size="xs"
            radius="xl"
            variant="default"
            rightSection={<IconArrowRight size={13} />}
            onClick={() => void navigate({ to, state: { request: request() } })}
          >
            {label}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}
