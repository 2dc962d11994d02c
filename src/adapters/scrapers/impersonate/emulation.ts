/**
 * HTTP/2 as Chromium speaks it, measured on version 156. The library's own profiles differ in one number: a navigation has
 * the greatest weight, 256, and theirs has 220. They can be corrected only as a whole.
 */
const CHROMIUM = JSON.stringify({
  http2Options: {
    headerTableSize: 65_536,
    enablePush: false,
    initialWindowSize: 6_291_456,
    maxHeaderListSize: 262_144,
    initialConnectionWindowSize: 15_728_640,
    settingsOrder: ['HeaderTableSize', 'EnablePush', 'InitialWindowSize', 'MaxHeaderListSize'],
    headersPseudoOrder: ['Method', 'Authority', 'Scheme', 'Path'],
    headersStreamDependency: { dependencyId: 0, weight: 255, exclusive: true },
  },
});

/** What is corrected in a profile; null: nothing. */
export function emulationOf(browser: string): string | null {
  return /^(?:chrome|edge)_/.test(browser) ? CHROMIUM : null;
}
