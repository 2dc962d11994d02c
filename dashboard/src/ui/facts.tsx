import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** Names and values under each other: `<Facts items={[['Role', 'Administrator']]} />`. */
export function Facts({ items }: { readonly items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {items.map(([name, value]) => (
        <div key={name} className={classes.row}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
