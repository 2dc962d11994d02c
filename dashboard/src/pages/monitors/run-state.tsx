import { t } from '@lingui/core/macro';
import type { Change, MonitorRun } from '../../api/monitors.ts';
import {
  IconAlert,
  IconBlocked,
  IconCheck,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconEdit,
  IconPlay,
} from '../../ui/icons.tsx';
import { type Look, StatePill } from '../../ui/pill.tsx';

const CHANGES: Readonly<Record<Change['state'] | 'new', Look>> = {
  first: [t`First`, 'slate', IconCheck],
  same: [t`No change`, 'green', IconCircleCheck],
  changed: [t`Changed`, 'blue', IconEdit],
  gone: [t`Gone`, 'orange', IconCircleX],
  back: [t({ message: 'Back', context: 'page' }), 'green', IconCircleCheck],
  error: [t`Error`, 'red', IconAlert],
  new: [t`New`, 'blue', IconEdit],
};

/** What a run found. */
export function RunPill({ run: { state, change } }: { readonly run: MonitorRun }) {
  if (state === 'running') return <StatePill look={[t`Running`, 'blue', IconPlay]} />;
  if (state === 'skipped') return <StatePill look={[t`Skipped`, 'slate', IconBlocked]} />;
  return change === null ? (
    <StatePill look={[t`Ended`, 'slate', IconClock]} />
  ) : (
    <ChangePill state={change.state} />
  );
}

export const ChangePill = ({ state }: { readonly state: Change['state'] | 'new' }) => (
  <StatePill look={CHANGES[state]} />
);

/** Why a run is an error. Other reasons are error codes, verdicts or statuses. */
export function reasonText(reason: string | null): string {
  if (reason === 'signed_out') return t`The site asks to sign in. Update the cookies of the request.`;
  if (reason === 'no_pages') return t`No page was fetched.`;
  return reason === null ? t`The page could not be compared.` : t`The page could not be compared: ${reason}.`;
}

/** `+3 −1`; null: no lines are counted. */
export const linesText = ({ added, removed }: Pick<Change, 'added' | 'removed'>): string | null =>
  added + removed === 0 ? null : `+${added} −${removed}`;
