import type { PoolServer, PoolTemplate, TemplateValues } from '../../domain/pools.ts';
import { parseProxyUrl } from '../proxy-url.ts';

const PLACEHOLDER = /\{(country|COUNTRY|region|city|session)\}/g;
const GROUP = /\[([^[\]]*\{[^[\]]*)\]/g;
const SAMPLE: TemplateValues = { country: 'DE', region: 'a', city: 'a', session: 'a' };
type Taken = 'country' | 'region' | 'city' | 'session';

/** A template that works with all values it takes and without those in brackets; or what is wrong with it. */
export function readTemplate(text: string): PoolTemplate | string {
  const unknown = /\{[^{}]*\}/.exec(text.replace(PLACEHOLDER, ''));
  if (unknown !== null) return 'supports only {country}, {COUNTRY}, {region}, {city} and {session}';
  const bare = text.replace(GROUP, '');
  for (const name of ['region', 'city'])
    if (bare.includes(`{${name}}`))
      return `must have {${name}} in [brackets]: it is not always asked for, as in \`[-${name}-{${name}}]\``;
  const takes = new Set<Taken>();
  for (const [, name] of text.matchAll(PLACEHOLDER)) takes.add(name!.toLowerCase() as Taken);
  for (const values of [SAMPLE, { ...SAMPLE, region: null, city: null }]) {
    const parsed = parseProxyUrl(fill(text, values));
    if (typeof parsed === 'string') return parsed;
  }
  // Checked above: what is filled in is escaped, and cannot make it another URL.
  return { takes, server: (values) => parseProxyUrl(fill(text, values)) as PoolServer };
}

/** Whether there is always a country in it. */
export function needsCountry(text: string): boolean {
  return /\{country\}/i.test(text.replace(GROUP, ''));
}

function fill(text: string, values: TemplateValues): string {
  const put = (part: string) => part.replace(PLACEHOLDER, (_, name: string) => wordOf(name, values) ?? '');
  const whole = (part: string) =>
    Array.from(part.matchAll(PLACEHOLDER)).every(([, name]) => wordOf(name!, values) !== null);
  return put(text.replace(GROUP, (_, part: string) => (whole(part) ? part : '')));
}

/** As providers write them: lower case, `_` for spaces. */
function wordOf(name: string, values: TemplateValues): string | null {
  if (name === 'COUNTRY') return values.country;
  const value = values[name as Taken];
  if (value === null || name === 'session') return value;
  return encodeURIComponent(value.toLowerCase().replace(/ +/g, '_'));
}
