import { t } from '@lingui/core/macro';
import type { UseMutationResult } from '@tanstack/react-query';
import { IconPause, IconPlay } from '../../ui/icons.tsx';
import { Notice, notifyError, notifySuccess } from '../../ui/notice.tsx';
import { SteerButton } from '../../ui/steer-button.tsx';

type Action = 'pause' | 'resume' | 'run';

interface RunSteeringProps {
  readonly steer: UseMutationResult<unknown, Error, Action>;
  readonly isActive: boolean;
  readonly isRunning?: boolean;
  /** What is said when it is done. */
  readonly paused: string;
  readonly resumed: string;
}

/** Buttons for what runs on a schedule: a run now, and its pause. */
export function RunSteering({ steer, isActive, isRunning = false, paused, resumed }: RunSteeringProps) {
  const act = (action: Action, done: string) =>
    steer.mutate(action, { onSuccess: () => notifySuccess(done), onError: notifyError });
  return (
    <>
      <SteerButton
        icon={IconPlay}
        label={t`Run now`}
        variant="filled"
        disabled={steer.isPending || isRunning}
        onClick={() => act('run', t`The run has begun.`)}
      />
      {isActive ? (
        <SteerButton
          icon={IconPause}
          label={t`Pause`}
          disabled={steer.isPending}
          onClick={() => act('pause', paused)}
        />
      ) : (
        <SteerButton
          icon={IconPlay}
          label={t`Resume`}
          disabled={steer.isPending}
          onClick={() => act('resume', resumed)}
        />
      )}
    </>
  );
}

const PAUSE_TEXTS = {
  asked: t`It does not run until it is resumed.`,
  key: t`The API key that made it was revoked or has expired. Resume it to continue with your session.`,
  user: t`The user who made it is disabled.`,
};

/** Why it is paused. */
export const PausedNotice = ({ reason }: { readonly reason: keyof typeof PAUSE_TEXTS | null }) => (
  <Notice tone="amber" icon={IconPause} title={t`Paused`}>
    <p>{PAUSE_TEXTS[reason ?? 'asked']}</p>
  </Notice>
);
