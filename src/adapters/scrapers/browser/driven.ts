import { type Failure, failure } from '../../../domain/failure.ts';
import type { BrowserType } from './binary/found-browser.ts';

/** Told of Firefox and WebKit, which speak another protocol. */
export const NOT_DRIVEN = 'not available in this version';

export const isDriven = (type: BrowserType): boolean => type !== 'firefox' && type !== 'webkit';

export function notDriven(type: BrowserType): Failure | null {
  if (isDriven(type)) return null;
  const message = `${type} is ${NOT_DRIVEN}; use chromium, chrome or msedge.`;
  return failure('browser.unavailable', message, { pointer: '/browser_type' });
}
