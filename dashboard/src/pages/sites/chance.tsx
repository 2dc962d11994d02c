import classes from './sites.module.css';

/** A likelihood, 0 to 1, as a bar and in words. */
export function Chance({ share }: { readonly share: number }) {
  const percent = `${Math.round(share * 100)} %`;
  return (
    <span className={classes.chance}>
      <i aria-hidden="true">
        <i style={{ width: `${Math.round(share * 100)}%` }} />
      </i>
      <b>{percent}</b>
    </span>
  );
}
