import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { formatTenths } from '../../../ui/format.ts';
import { IconCompass, IconPlay, IconStop } from '../../../ui/icons.tsx';
import classes from './run.module.css';
import type { RunState } from './use-run.ts';

interface RunButtonsProps {
  readonly state: RunState;
  readonly onRun: (dry: boolean) => void;
  readonly onCancel: () => void;
}

const KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ Enter' : 'Ctrl Enter';

/** The same button runs and cancels, so that it keeps the focus. */
export function RunButtons({ state, onRun, onCancel }: RunButtonsProps) {
  const running = state.phase === 'running';
  return (
    <>
      <Tooltip label={t`Plans the route without fetching anything (dry run)`}>
        <Button
          variant="default"
          leftSection={<IconCompass size={16} />}
          onClick={() => onRun(true)}
          disabled={running}
        >
          <Trans>Explain the route</Trans>
        </Button>
      </Tooltip>
      <Tooltip label={t`Run (${KEYS})`} disabled={running}>
        <Button
          variant={running ? 'default' : 'filled'}
          className={running ? classes.cancel : undefined}
          leftSection={running ? <IconStop size={16} /> : <IconPlay size={16} />}
          rightSection={running ? <Elapsed since={state.startedAt} /> : undefined}
          onClick={() => (running ? onCancel() : onRun(false))}
          miw={running ? 132 : 96}
        >
          {running ? t`Cancel` : t`Run`}
        </Button>
      </Tooltip>
    </>
  );
}

/** A counter of seconds. Screen readers do not announce its changes. */
function Elapsed({ since }: { readonly since: number }) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="tabular" aria-hidden="true">
      <Trans>{formatTenths(Math.max(0, (now - since) / 1000))} s</Trans>
    </span>
  );
}
