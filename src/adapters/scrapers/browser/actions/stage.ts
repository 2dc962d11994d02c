import type { CDPSession, Page } from 'playwright-core';
import type { ByteRoom } from '../../../../base/byte-room.ts';
import type { PageReader } from '../../../../ports/page-reader.ts';
import type { PictureLimits } from '../screenshot/take.ts';
import type { FullTab, Tab } from '../tab.ts';
import type { NetworkIdle } from '../visit/network-idle.ts';
import type { Visit } from '../visit/visit.ts';
import type { ResponseLog } from './response-log.ts';

/** What actions are done on. */
export interface Stage {
  readonly page: Page;
  readonly full: FullTab;
  readonly setHeight: Tab['setHeight'];
  readonly session: Pick<CDPSession, 'send'>;
  readonly mainFrame: string;
  readonly visit: Pick<
    Visit,
    'shown' | 'reached' | 'onLost' | 'credentials' | 'leads' | 'forbids' | 'follow' | 'downloads'
  >;
  readonly idle: Pick<NetworkIdle, 'wait' | 'open' | 'loadsData' | 'loadsDataSince'>;
  readonly responses: ResponseLog;
  readonly reader: PageReader;
  readonly room: ByteRoom;
  /** Of all pictures of the scrape. */
  readonly album: PictureLimits['album'];
  /** The page may run scripts. */
  readonly scripting: boolean;
  /** A document is read up to here. */
  readonly maxContentBytes: number;
}
