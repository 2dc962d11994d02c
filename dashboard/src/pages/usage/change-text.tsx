import { t } from '@lingui/core/macro';
import { formatChange } from '../../ui/format.ts';
import classes from './change-text.module.css';

interface ChangeTextProps {
  /** A share; null: not known. */
  readonly share: number | null;
  /** There was nothing before, but there is something now. */
  readonly isNew?: boolean;
}

/** By how much something has changed against the time before. */
export function ChangeText({ share, isNew = false }: ChangeTextProps) {
  const text = formatChange(share);
  if (text === null) return <span className={classes.change}>{isNew ? t`new` : '–'}</span>;
  return <span className={classes.change}>{text}</span>;
}
