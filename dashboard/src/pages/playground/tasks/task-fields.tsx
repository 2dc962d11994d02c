import { Trans } from '@lingui/react/macro';
import { useRequestForm } from '../form/form-context.ts';
import { FieldGrid } from '../form/schema-field.tsx';
import { fieldsOf } from '../model/request-fields.ts';
import { ExtractFields } from './extract-fields.tsx';
import { SchemaFields } from './schema-fields.tsx';
import classes from './tasks.module.css';
import { TASKS, type TaskName } from './tasks.ts';

interface TaskFieldsProps {
  readonly task: TaskName;
  /** Id of the last stored result whose page is HTML; null: there is none. */
  readonly pageId: string | null;
  readonly onPick: () => void;
}

/** The fields that a task needs. */
export function TaskFields({ task, pageId, onPick }: TaskFieldsProps) {
  const { support } = useRequestForm();
  const { hint, fields: pointers } = TASKS[task];
  const all = fieldsOf(support);
  const fields = pointers.flatMap((pointer) => all.find((field) => field.pointer === pointer) ?? []);
  return (
    <div className={classes.task}>
      <p className="dimmed">{hint}</p>
      {task === 'schema' && <SchemaFields />}
      {task === 'data' && <ExtractFields pageId={pageId} onPick={onPick} />}
      {fields.length > 0 && <FieldGrid fields={fields} inOrder />}
      {fields.length < pointers.length && (
        <p className="dimmed">
          <Trans>
            Some fields need a browser, and the chosen scraper is none, or no browser is available here.
          </Trans>
        </p>
      )}
    </div>
  );
}
