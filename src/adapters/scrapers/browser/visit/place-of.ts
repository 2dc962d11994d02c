import { portOf } from '../../../../base/port-of.ts';

/** Where the requests to a URL go. */
export function placeOf(text: string): [host: string, port: number] {
  const url = new URL(text);
  return [url.hostname, portOf(url)];
}
