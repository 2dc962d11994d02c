import { t } from '@lingui/core/macro';
import type { Outcome } from '../api/client.ts';
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
import { Pill, type Tone } from './pill.tsx';

interface OutcomeInfo {
  readonly label: string;
  readonly tone: Tone;
  readonly icon: Icon;
  /** The meaning in one sentence. */
  readonly meaning: string;
}

/** Every outcome of a scrape, from the best to the worst. */
export const OUTCOMES: Readonly<Record<Outcome, OutcomeInfo>> = {
  ok: {
    label: t`OK`,
    tone: 'green',
    icon: IconCircleCheck,
    meaning: t`The page was returned with everything requested.`,
  },
  partial: {
    label: t`Partial`,
    tone: 'amber',
    icon: IconHalf,
    meaning: t`The page was returned, but something requested is missing or cut.`,
  },
  target_error: {
    label: t`Target error`,
    tone: 'orange',
    icon: IconServer,
    meaning: t`The site returned an error page or an error status.`,
  },
  unaccepted: {
    label: t`Not accepted`,
    tone: 'blue',
    icon: IconAlert,
    meaning: t`A page was returned, but it does not meet the \`accept\` conditions.`,
  },
  blocked: {
    label: t`Blocked`,
    tone: 'violet',
    icon: IconBlocked,
    meaning: t`The site sent a challenge, a captcha, a login or another block page instead of the content.`,
  },
  failed: {
    label: t`Failed`,
    tone: 'red',
    icon: IconCircleX,
    meaning: t`No page could be fetched.`,
  },
  planned: {
    label: t`Planned`,
    tone: 'slate',
    icon: IconClipboard,
    meaning: t`A dry run: the route was planned, and nothing was fetched.`,
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
