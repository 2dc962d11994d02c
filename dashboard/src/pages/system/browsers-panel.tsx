import type { System } from '../../api/system.ts';
import { formatCount } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Pill, type Tone } from '../../ui/pill.tsx';
import { BrowserTable } from './browser-table.tsx';
import { KindList } from './kind-list.tsx';
import classes from './system.module.css';

type Browsers = System['browsers'];

const STATES: Readonly<Record<Browsers['state'], readonly [tone: Tone, words: string]>> = {
  ready: ['green', 'ready'],
  unknown: ['slate', 'not needed yet'],
  unavailable: ['slate', 'not installed'],
  down: ['red', 'down'],
};

/** The browsers that run, and what became of those before them. */
export function BrowsersPanel({ browsers }: { readonly browsers: Browsers }) {
  const [tone, words] = STATES[browsers.state];
  const running = browsers.kinds.flatMap((kind) => kind.browsers.map((browser) => ({ kind, browser })));
  return (
    <Panel
      title="Browsers"
      description={`${formatCount(browsers.pages_served)} pages since the service started, ${formatCount(browsers.refused)} scrapes refused because the queue was full.`}
      actions={<Pill tone={tone}>{words}</Pill>}
      flush
    >
      {browsers.kinds.length === 0 ? (
        <p className={classes.none}>No scrape has used a browser since the service started.</p>
      ) : (
        <>
          <KindList kinds={browsers.kinds} />
          {running.length === 0 ? (
            <p className={classes.none}>No browser is running; the next scrape that needs one starts it.</p>
          ) : (
            <BrowserTable running={running} />
          )}
        </>
      )}
    </Panel>
  );
}
