import { SimpleGrid } from '@mantine/core';
import { type Icon, IconKey, IconLock, IconRotate } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './keys.module.css';

const ADVICE: readonly (readonly [icon: Icon, title: string, text: string])[] = [
  [
    IconKey,
    'One key per environment',
    'Separate development from production, so that each can be limited, monitored or revoked alone.',
  ],
  [
    IconRotate,
    'Rotate regularly',
    'The new key has the same settings, and both work for up to 24 hours: no downtime.',
  ],
  [
    IconLock,
    'Never in version control',
    'Read the key from an environment variable or a secret store, and keep it out of logs.',
  ],
];

export function GoodPractice() {
  return (
    <Panel title="Good practice">
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
        {ADVICE.map(([Ornament, title, text]) => (
          <div key={title} className={classes.advice}>
            <Ornament size={18} />
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          </div>
        ))}
      </SimpleGrid>
    </Panel>
  );
}
