import { t } from '@lingui/core/macro';
import type { Schema } from '../../api/client.ts';
import { IconAlert, IconCircleCheck } from '../../ui/icons.tsx';
import { Pill } from '../../ui/pill.tsx';

interface TestPillProps {
  readonly result: { readonly ok: boolean; readonly status_code: number | null };
}

/** Whether a test of a proxy or vendor succeeded, with the status of the page. */
export function TestPill({ result: { ok, status_code } }: TestPillProps) {
  return ok ? (
    <Pill tone="green" icon={IconCircleCheck}>
      {status_code === null ? t`Works` : t`Works, ${status_code}`}
    </Pill>
  ) : (
    <Pill tone="red" icon={IconAlert}>
      {status_code === null ? t`Failed` : t`Failed, ${status_code}`}
    </Pill>
  );
}

export const testErrorText = ({ code, message }: Schema<'TestError'>): string => `${message} (${code})`;
