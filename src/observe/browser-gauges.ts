import type { BrowsersAtWork } from '../domain/browsers-at-work.ts';
import type { Metrics } from './metrics.ts';

/** What `GET /api/v1/system/` tells of the browsers, as metrics. */
export function addBrowserGauges({ addGauge }: Pick<Metrics, 'addGauge'>, look: () => BrowsersAtWork): void {
  const ofKinds = (count: (kind: BrowsersAtWork['kinds'][number]) => number) => () =>
    look().kinds.reduce((sum, kind) => sum + count(kind), 0);
  addGauge('sluice_browser_slots', 'Pages that may be open at once.', () => look().slots.total);
  addGauge('sluice_browser_slots_used', 'Pages that are open.', () => look().slots.busy);
  addGauge('sluice_browser_slots_waiting', 'Scrapes that wait for a slot.', () => look().slots.waiting);
  addGauge(
    'sluice_browsers_running',
    'Browsers that run, with those that end with their last page.',
    ofKinds(({ browsers }) => browsers.length),
  );
  addGauge(
    'sluice_browser_memory_bytes',
    'What the first processes of the browsers hold, without what they share.',
    ofKinds(({ browsers }) => browsers.reduce((sum, { memory }) => sum + memory, 0)),
  );
  addGauge(
    'sluice_browsers_launched',
    'Browsers that were started since the start.',
    ofKinds(({ launches }) => launches),
  );
  addGauge(
    'sluice_browsers_crashed',
    'Browsers that ended by themselves since the start.',
    ofKinds(({ crashes }) => crashes),
  );
  addGauge(
    'sluice_browsers_recycled',
    'Browsers that gave way to a fresh one since the start: pages, age, memory.',
    ofKinds(({ recycles }) => recycles),
  );
  addGauge(
    'sluice_browsers_replaced',
    'Browsers that were left since the start because they hung, or might be damaged.',
    ofKinds(({ replaced }) => replaced),
  );
}
