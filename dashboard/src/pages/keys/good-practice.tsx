import { SimpleGrid } from '@mantine/core';
import { type Icon, IconKey, IconLock, IconRotate } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './keys.module.css';

const ADVICE: readonly (readonly [icon: Icon, title: string, text: string])[] = [
  [
    IconKey,
    'One key for each place',
    'Keep development and production apart, so that either can be limited, watched or revoked alone.',
  ],
  [
    IconRotate,
    'Rotate regularly',
    'The new key has the same settings, and for up to 24 hours both work: nothing has to stop.',
  ],
  [
    IconLock,
    'Never in version control',
    'Let programs read the key from an environment variable or a secret store, and keep it out of logs.',
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
