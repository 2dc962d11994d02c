import type { CDPSession } from 'playwright-core';
import type { Tab } from '../tab.ts';

/** A page whose main frame is this one. */
export interface ShownPage {
  readonly session: Pick<CDPSession, 'send'>;
  readonly frameId: string;
  readonly setHeight: Tab['setHeight'];
}
