import type { PoolProxy } from '../../api/system.ts';
import { type Icon, IconCircleCheck, IconClock, IconRotate } from '../../ui/icons.tsx';
import { Pill, type Tone } from '../../ui/pill.tsx';

const STATES: Readonly<
  Record<PoolProxy['health'], { readonly tone: Tone; readonly icon: Icon; readonly title: string }>
> = {
  healthy: { tone: 'green', icon: IconCircleCheck, title: 'In use' },
  probing: {
    tone: 'blue',
    icon: IconRotate,
    title: 'Tested with one attempt at a time',
  },
  cooling: { tone: 'amber', icon: IconClock, title: 'Failed recently; not used for a while' },
};

interface HealthPillProps {
  readonly state: PoolProxy['health'];
  readonly text: string;
}

export function HealthPill({ state, text }: HealthPillProps) {
  const { tone, icon, title } = STATES[state];
  return (
    <Pill tone={tone} icon={icon} title={title}>
      {text}
    </Pill>
  );
}
