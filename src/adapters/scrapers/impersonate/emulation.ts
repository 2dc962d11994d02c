/**
 * The library's own profiles differ from the browsers in one number of HTTP/2: the weight of a navigation. That of
 * Chromium is 256 where they have 220 (measured on version 156), that of Firefox 42 where they have 22, which is that of
 * its other requests (measured on version 153). HTTP/2 can be corrected only as a whole.
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
const FIREFOX = JSON.stringify({
  http2Options: {
    initialStreamId: 3,
    headerTableSize: 65_536,
    enablePush: false,
    initialWindowSize: 131_072,
    maxFrameSize: 16_384,
    initialConnectionWindowSize: 12_582_912,
    settingsOrder: ['HeaderTableSize', 'EnablePush', 'InitialWindowSize', 'MaxFrameSize'],
    headersPseudoOrder: ['Method', 'Path', 'Authority', 'Scheme'],
    headersStreamDependency: { dependencyId: 0, weight: 41, exclusive: false },
  },
});

/** What is corrected in a profile; null: nothing. */
export function emulationOf(browser: string): string | null {
  if (/^(?:chrome|edge)_/.test(browser)) return CHROMIUM;
  return browser.startsWith('firefox_') ? FIREFOX : null;
}
