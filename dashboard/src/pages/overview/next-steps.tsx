import { Box, CloseButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Panel } from '../../ui/panel.tsx';
import { FirstSteps } from './first-run.tsx';

/** The first steps for those whose first scrape came before their first look at this page; until they are hidden. */
export function NextSteps() {
  const [hidden, setHidden] = useLocalStorage({
    key: 'sluice-next-steps-hidden',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  if (hidden) return null;
  return (
    <Box mb="md">
      <Panel
        title="Getting started"
        actions={<CloseButton aria-label="Hide getting started" onClick={() => setHidden(true)} />}
      >
        <FirstSteps scraped />
      </Panel>
    </Box>
  );
}
