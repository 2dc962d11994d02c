import type { Proxies } from '../../api/system.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { IconAlert } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import classes from './proxies.module.css';

/** A newer file of pools that is not in order, and therefore does not count. */
export function FileNotice({ file }: { readonly file: Proxies['file'] }) {
  if (file === null || file.problems.length === 0) return null;
  return (
    <Notice tone="amber" icon={IconAlert} title="The changed proxy file has errors">
      <p>
        The version read on <DateTime at={file.loaded_at} /> stays in use. Fix these in{' '}
        <code className="mono">{file.path}</code>:
      </p>
      <ul className={classes.problems}>
        {file.problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </Notice>
  );
}
