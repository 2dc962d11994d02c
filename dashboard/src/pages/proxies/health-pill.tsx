import type { PoolProxy } from '../../api/proxies.ts';
import { type Icon, IconCircleCheck, IconClock, IconRotate } from '../../ui/icons.tsx';
import { Pill } from '../../ui/pill.tsx';
import type { Tone } from '../../ui/tone.ts';

const STATES: Readonly<
  Record<PoolProxy['health'], { readonly tone: Tone; readonly icon: Icon; readonly title: string }>
> = {
  healthy: { tone: 'green', icon: IconCircleCheck, title: 'It is used' },
  probing: {
    tone: 'blue',
    icon: IconRotate,
    title: 'One attempt at a time finds out whether it works again',
  },
  cooling: { tone: 'amber', icon: IconClock, title: 'It failed, and is left alone for a while' },
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
