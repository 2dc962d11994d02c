import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor } from '@mantine/core';
import { IconAlert, IconInfo, IconLock } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextLink } from '../../ui/text.tsx';
import type { RequestWarning } from './model/request-warnings.ts';
import classes from './playground.module.css';

interface NoticesProps {
  /** Id of the scrape whose request was loaded. */
  readonly from: string | null;
  readonly onReload: () => void;
  /** Pointers of masked values that must be filled in. */
  readonly masked: readonly string[];
  readonly warnings: readonly RequestWarning[];
  readonly onShow: (pointer: string) => void;
}

/** Notes about the request before it is run. */
export function Notices({ from, onReload, masked, warnings, onShow }: NoticesProps) {
  return (
    <>
      {from !== null && (
        <p className={classes.from}>
          <Trans>
            Loaded from the record{' '}
            <TextLink to="/history/$id" params={{ id: from }} className="mono" size="sm">
              {from}
            </TextLink>
            .{' '}
            <Anchor component="button" type="button" size="sm" onClick={onReload}>
              Load it again
            </Anchor>
          </Trans>
        </p>
      )}
      {masked.length > 0 && (
        <Notice tone="amber" icon={IconLock} title={t`Fill in the masked secrets`}>
          <p>
            <Trans>
              Records store no secrets: <code className="mono">***</code> marks a masked value.
            </Trans>
          </p>
          <PointerList pointers={masked} onShow={onShow} />
        </Notice>
      )}
      {warnings.length > 0 && (
        <Notice
          tone="amber"
          icon={IconAlert}
          title={
            warnings.length === 1
              ? t`One field will be refused`
              : t`${warnings.length} fields will be refused`
          }
        >
          <ul>
            {warnings.map(({ pointer, text }) => (
              <li key={pointer}>
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  className="mono"
                  onClick={() => onShow(pointer)}
                >
                  {pointer}
                </Anchor>{' '}
                {text}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

function PointerList({
  pointers,
  onShow,
}: {
  readonly pointers: readonly string[];
  readonly onShow: (pointer: string) => void;
}) {
  return (
    <ul>
      {pointers.map((pointer) => (
        <li key={pointer}>
          <Anchor component="button" type="button" size="sm" className="mono" onClick={() => onShow(pointer)}>
            {pointer}
          </Anchor>
        </li>
      ))}
    </ul>
  );
}

/** Parts of an imported command that have no effect. Renders nothing if there are none. */
export function IgnoredNotice({ ignored }: { readonly ignored: readonly string[] }) {
  if (ignored.length === 0) return null;
  return (
    <Notice tone="slate" icon={IconInfo} title={t`Not imported`}>
      <p>
        <Trans>These parts of the command have no effect on the request:</Trans>
      </p>
      <ul>
        {ignored.map((part) => (
          <li key={part}>
            <code className="mono">{part}</code>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Shown above the form while the JSON cannot be parsed. */
export function StaleNotice() {
  return (
    <p className={classes.stale} role="status">
      <IconInfo size={16} />{' '}
      <Trans>The JSON is not valid. The form shows the last valid request until you fix it.</Trans>
    </p>
  );
}
