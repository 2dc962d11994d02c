import type { ActionResult } from '../../domain/action-result.ts';
import { SCREENSHOT } from '../../domain/pictures.ts';
import type { Scrape } from '../../domain/scrape.ts';
import { exchangeJson } from './network-json.ts';
import { pictureMark } from './picture-marks.ts';

/**
 * `scraper_data.actions[]`: what became of the page actions.
 * @param kept false: without what they brought, which is content
 */
export function actionsJson(scrape: Scrape, actions: readonly ActionResult[], kept: boolean): string {
  let text = '[';
  // Pictures of actions are numbered in their order, after the one of the page.
  let number = SCREENSHOT;
  for (const action of actions) {
    const { index, id, type, status, durationMs, error } = action;
    if (action.screenshot !== undefined) number++;
    text += `${text === '[' ? '' : ','}{"index":${index},"id":${JSON.stringify(id)},"type":"${type}","status":"${status}","duration_ms":${Math.round(durationMs)}`;
    const result = kept ? resultJson(scrape, action, number) : null;
    if (result !== null) text += `,"result":${result}`;
    if (error !== undefined) text += `,"error":${JSON.stringify(error)}`;
    text += '}';
  }
  return `${text}]`;
}

function resultJson(scrape: Scrape, action: ActionResult, number: number): string | null {
  const { result, exchange, screenshot } = action;
  if (screenshot !== undefined) {
    const { name, width, height, type } = screenshot;
    return `{"name":${JSON.stringify(name)},"url":${pictureMark(scrape, number)},"width":${width},"height":${height},"type":"${type}"}`;
  }
  if (exchange !== undefined) return exchangeJson(exchange);
  return result === undefined ? null : JSON.stringify(result);
}
