import type { Outcome } from '../api/types.ts';
import {
  type Icon,
  IconAlert,
  IconBlocked,
  IconCircleCheck,
  IconCircleX,
  IconClipboard,
  IconHalf,
  IconServer,
} from './icons.tsx';
import { Pill } from './pill.tsx';
import type { Tone } from './tone.ts';

interface OutcomeLook {
  readonly label: string;
  readonly tone: Tone;
  readonly icon: Icon;
  /** What it means, in one sentence. */
  readonly meaning: string;
}

/** Every outcome of a scrape, from the best to the worst. */
export const OUTCOMES: Readonly<Record<Outcome, OutcomeLook>> = {
  ok: {
    label: 'OK',
    tone: 'green',
    icon: IconCircleCheck,
    meaning: 'The page came, with all that was asked for.',
  },
  partial: {
    label: 'Partial',
    tone: 'amber',
    icon: IconHalf,
    meaning: 'The page came, but something that was asked for is missing or cut.',
  },
  target_error: {
    label: 'Target error',
    tone: 'orange',
    icon: IconServer,
    meaning: 'The target answered with an error page or an error status.',
  },
  unaccepted: {
    label: 'Not accepted',
    tone: 'blue',
    icon: IconAlert,
    meaning: 'A page came, but it did not meet what `accept` asked for.',
  },
  blocked: {
    label: 'Blocked',
    tone: 'violet',
    icon: IconBlocked,
    meaning: 'The target showed a challenge, a captcha, a block or a wall instead of its page.',
  },
  failed: {
    label: 'Failed',
    tone: 'red',
    icon: IconCircleX,
    meaning: 'No page came.',
  },
  planned: {
    label: 'Planned',
    tone: 'slate',
    icon: IconClipboard,
    meaning: 'A dry run: the way was planned, and nothing was fetched.',
  },
};

export function OutcomeBadge({ outcome }: { readonly outcome: Outcome }) {
  const { label, tone, icon, meaning } = OUTCOMES[outcome];
  return (
    <Pill tone={tone} icon={icon} title={meaning}>
      {label}
    </Pill>
  );
}
