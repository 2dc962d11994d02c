import type { ReactNode } from 'react';
import type { Icon } from '../../ui/icons.tsx';
import classes from './bar-list.module.css';

/** A list without anything in it. */
export function Nothing({ icon: Ornament, children }: { readonly icon: Icon; readonly children: ReactNode }) {
  return (
    <p className={classes.nothing}>
      <Ornament size={20} />
      <span>{children}</span>
    </p>
  );
}
