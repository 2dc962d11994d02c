import type { BrowsersAtWork } from '../domain/browsers-at-work.ts';
import type { Metrics } from './metrics.ts';

/** What `GET /api/v1/system/` tells of the browsers, as metrics. */
export function addBrowserGauges({ addGauge }: Pick<Metrics, 'addGauge'>, look: () => BrowsersAtWork): void {
  const ofKinds = (count: (kind: BrowsersAtWork['kinds'][number]) => number) => () =>
    look().kinds.reduce((sum, kind) => sum + count(kind), 0);
  addGauge('sluice_browser_slots', 'Maximum number of open pages.', () => look().slots.total);
  addGauge('sluice_browser_slots_used', 'Open pages.', () => look().slots.busy);
  addGauge('sluice_browser_slots_waiting', 'Scrapes waiting for a slot.', () => look().slots.waiting);
  addGauge(
    'sluice_browsers_running',
    'Running browsers, including those that close after their last page.',
    ofKinds(({ browsers }) => browsers.length),
  );
  addGauge(
    'sluice_browser_memory_bytes',
    'Private memory of the main browser processes.',
    ofKinds(({ browsers }) => browsers.reduce((sum, { memory }) => sum + memory, 0)),
  );
  addGauge(
    'sluice_browsers_launched',
    'Browsers started since the service started.',
    ofKinds(({ launches }) => launches),
  );
  addGauge(
    'sluice_browsers_crashed',
    'Browsers that ended unexpectedly since the service started.',
    ofKinds(({ crashes }) => crashes),
  );
  addGauge(
    'sluice_browsers_recycled',
    'Browsers replaced because of page count, age or memory since the service started.',
    ofKinds(({ recycles }) => recycles),
  );
  addGauge(
    'sluice_browsers_replaced',
    'Browsers replaced because they hung or may have been damaged since the service started.',
    ofKinds(({ replaced }) => replaced),
  );
}
