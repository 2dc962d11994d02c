import type { Schema } from '../../api/client.ts';
import type { Tone } from '../../ui/pill.tsx';

export const ATTEMPT_TONES: Readonly<Record<Schema<'Attempt'>['outcome'], Tone>> = {
  ok: 'green',
  rejected: 'amber',
  failed: 'red',
  cancelled: 'slate',
};
