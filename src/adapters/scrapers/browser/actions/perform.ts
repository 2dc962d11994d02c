import type { PageAction } from '../../../../domain/page-action.ts';
import { alter } from './alter.ts';
import { check, select, uncheck } from './choose.ts';
import type { Done } from './done.ts';
import { extract } from './extract.ts';
import { infiniteScroll } from './infinite-scroll.ts';
import { back, goto, reload } from './navigate.ts';
import { picture } from './picture.ts';
import { click, hover } from './point.ts';
import { evaluate, waitForFunction } from './script.ts';
import { scroll } from './scroll.ts';
import type { Turn } from './turn.ts';
import { wait, waitForLoadState, waitForSelector, waitForUrl } from './wait.ts';
import { waitForResponse } from './wait-for-response.ts';
import { fill, press, type } from './write.ts';

/**
 * Does one action. Rejects with what Playwright has to say, or when its time is up.
 * @param previousAt `performance.now()` when the action before it began
 */
export function perform(
  action: Exclude<PageAction, { type: 'if' }>,
  turn: Turn,
  previousAt: number,
): Promise<Done> {
  switch (action.type) {
    case 'click':
      return click(action, turn);
    case 'fill':
      return fill(action, turn);
    case 'type':
      return type(action, turn);
    case 'press':
      return press(action, turn);
    case 'select':
      return select(action, turn);
    case 'check':
      return check(action, turn);
    case 'uncheck':
      return uncheck(action, turn);
    case 'hover':
      return hover(action, turn);
    case 'scroll':
      return scroll(action, turn);
    case 'infinite_scroll':
      return infiniteScroll(action, turn);
    case 'wait':
      return wait(action, turn);
    case 'wait_for_selector':
      return waitForSelector(action, turn);
    case 'wait_for_load_state':
      return waitForLoadState(action, turn);
    case 'wait_for_url':
      return waitForUrl(action, turn);
    case 'wait_for_response':
      return waitForResponse(action, turn, previousAt);
    case 'wait_for_function':
      return waitForFunction(action, turn);
    case 'evaluate':
      return evaluate(action, turn);
    case 'goto':
      return goto(action, turn);
    case 'reload':
      return reload(action, turn);
    case 'back':
      return back(action, turn);
    case 'hide':
    case 'remove':
      return alter(action, turn);
    case 'screenshot':
      return picture(action, turn);
    case 'extract':
      return extract(action, turn);
  }
}
