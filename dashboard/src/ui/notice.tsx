import type { ReactNode } from 'react';
import type { Icon } from './icons.tsx';
import classes from './notice.module.css';

interface NoticeProps {
  /** `red`: the request was turned away, which is read out at once. */
  readonly tone: 'amber' | 'red' | 'slate';
  readonly icon: Icon;
  readonly title: string;
  readonly children: ReactNode;
}

/** Something to know of the request or of what came of it. */
export function Notice({ tone, icon: Mark, title, children }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone} role={tone === 'red' ? 'alert' : 'status'}>
      <Mark size={18} />
      <div className={classes.words}>
        <b>{title}</b>
        {children}
      </div>
    </div>
  );
}
