import { type Path, pointerOf } from '../../model/json.ts';
import type { Field } from '../../model/offer.ts';
import classes from '../form.module.css';
import { useRequestForm } from '../form-context.ts';

interface EntryProblemsProps {
  readonly path: Path;
  /** They tell themselves what is wrong with them. */
  readonly fields: readonly Field[];
}

/** What is wrong with an entry as a whole, or with a member that has no field. */
export function EntryProblems({ path, fields }: EntryProblemsProps) {
  const { problems } = useRequestForm();
  const own = pointerOf(path);
  const placed = (pointer: string) =>
    fields.some((field) => pointer === field.pointer || pointer.startsWith(`${field.pointer}/`));
  const found = problems.filter(
    ({ pointer }) => (pointer === own || pointer.startsWith(`${own}/`)) && !placed(pointer),
  );
  return found.map(({ pointer, message }) => (
    <p key={`${pointer} ${message}`} className={classes.error}>
      {message}
    </p>
  ));
}
