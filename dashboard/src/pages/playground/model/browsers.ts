import type { Schema } from '../../../api/client.ts';
import type { Json } from './json.ts';

export type Browsers = Schema<'ScraperList'>['browsers'];

/** Another name of the API for the same type. */
const ALIASES: Readonly<Record<string, string>> = { edge: 'msedge' };

interface TypeNote {
  /** Why no scrape can have it here; undefined: one can. */
  readonly refusal: string | undefined;
  /** Which one it is. */
  readonly note: string | undefined;
}

/** What is to be known of a `browser_type` on this machine. */
export function noteOnType({ items }: Browsers, type: Json): TypeNote {
  const name = ALIASES[String(type)] ?? type;
  const ofType = items.filter(({ browser_type }) => browser_type === name);
  const used = ofType.find((one) => one.used);
  if (used === undefined) {
    const reasons = new Set(ofType.flatMap(({ reason }) => reason ?? []));
    return { refusal: reasons.size === 0 ? 'Not installed here.' : [...reasons].join(' '), note: undefined };
  }
  const words = [
    used.version,
    used.headed ? null : 'headless only',
    used.source === 'package' ? 'installed with Sluice' : null,
  ];
  return { refusal: undefined, note: words.filter((word) => word !== null).join(', ') };
}

/** Why `headless: false` is refused; undefined: it is not. @param type the one that is asked for, if any */
export function whyNoWindows({ items }: Browsers, type: Json | undefined): string | undefined {
  const name = ALIASES[String(type)] ?? type ?? 'chromium';
  const ofType = items.filter(({ browser_type }) => browser_type === name);
  if (!ofType.some(({ used }) => used) || ofType.some(({ headed }) => headed)) return undefined;
  const reasons = new Set(ofType.flatMap(({ reason }) => reason ?? []));
  return reasons.size === 0 ? 'This browser runs only headless.' : [...reasons].join(' ');
}
