import classes from './form.module.css';

interface ReasonedOptionProps {
  readonly label: string;
  /** What is to be known of it, such as why it cannot be chosen. */
  readonly reason: string | null | undefined;
}

/** A choice, and below it a word about it. */
export function ReasonedOption({ label, reason }: ReasonedOptionProps) {
  return (
    <span className={classes.option}>
      {label}
      {typeof reason === 'string' && <small>{reason}</small>}
    </span>
  );
}
