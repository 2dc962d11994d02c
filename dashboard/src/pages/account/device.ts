const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A `User-Agent` as a person says it: `Firefox on Linux`. What is unknown stays as it was sent. */
export function deviceOf(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Unknown device';
  const [browser, system] = [BROWSERS, SYSTEMS].map(
    (list) => list.find(([mark]) => mark.test(userAgent))?.[1],
  );
  if (browser === undefined) return userAgent.length > 60 ? `${userAgent.slice(0, 60)}…` : userAgent;
  return system === undefined ? browser : `${browser} on ${system}`;
}
