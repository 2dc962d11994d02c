import classes from './form.module.css';

interface ReasonedOptionProps {
  readonly label: string;
  /** Why it cannot be chosen. */
  readonly reason: string | null | undefined;
}

/** A choice, and below it why it is none. */
export function ReasonedOption({ label, reason }: ReasonedOptionProps) {
  return (
    <span className={classes.option}>
      {label}
      {typeof reason === 'string' && <small>{reason}</small>}
    </span>
  );
}
