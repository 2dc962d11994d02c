import type { CDPSession } from 'playwright-core';

/** A page whose main frame is this one. */
export interface ShownPage {
  readonly session: Pick<CDPSession, 'send'>;
  readonly frameId: string;
}
