import { MAX_JS_HEAP_MIB } from './processes.ts';

export interface ChromiumOptions {
  readonly profileDir: string;
  readonly headless: boolean;
  readonly sandbox: boolean;
  /** `http://127.0.0.1:1234`: the only address that the browser may connect to. */
  readonly proxyServer: string;
  /** For shared workers, whose user agent cannot be set otherwise. */
  readonly userAgent: string;
  /** /dev/shm has too little space for pages: files are used instead. */
  readonly smallShm: boolean;
  /** Hash of a public key of this process, whose certificates the browser accepts; null: none. */
  readonly trustedKeyHashes: readonly string[];
}

/** With these switches the browser itself sends no requests, and nothing bypasses the proxy. */
const NETWORK_SWITCHES: readonly string[] = [
  // Without this rule Chromium connects to loopback addresses directly, whatever the proxy is.
  '--proxy-bypass-list=<-loopback>',
  // UDP cannot go through an HTTP proxy.
  '--disable-quic',
  // WebRTC uses no UDP. The first switch is for full browsers, the second for headless shells.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
  '--disable-background-networking',
  '--disable-client-side-phishing-detection',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--metrics-recording-only',
  '--no-pings',
  '--safebrowsing-disable-auto-update',
];

/** With these switches there are no prompts, dialogs or keyrings, and pages look the same on every machine. */
const QUIET_SWITCHES: readonly string[] = [
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-extensions',
  '--disable-component-extensions-with-background-pages',
  '--disable-field-trial-config',
  '--disable-hang-monitor',
  '--disable-infobars',
  '--disable-prompt-on-repost',
  '--disable-search-engine-choice-screen',
  '--disable-stack-profiler',
  '--force-color-profile=srgb',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-service-autorun',
  '--password-store=basic',
  '--use-mock-keychain',
  '--mute-audio',
];

/**
 * Playwright relies on these switches: background pages run at full speed, and documents never come from the back-forward
 * cache.
 */
const PLAYWRIGHT_SWITCHES: readonly string[] = [
  '--allow-pre-commit-input',
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--unsafely-disable-devtools-self-xss-warnings',
];

/** Playwright disables most of them, too; its list `chromiumSwitches` gives the reasons. */
const DISABLED_FEATURES: readonly string[] = [
  'AimEnabled',
  // With it, Chromium 155 aborts preflighted redirects to other origins while requests are intercepted.
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'CertificateTransparencyComponentUpdater',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  // These two would replace the `http` of the caller's URL by `https`.
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'Translate',
  // Parts of the window that are web pages themselves. Without them, a scrape took 230 ms of CPU time instead of 720 (Chromium
  // 156).
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
  'WebUIReloadButton',
  'msForceBrowserSignIn',
];

/** As in Playwright. The second one prevents requests to accounts.google.com. */
const ENABLED_FEATURES: readonly string[] = ['CDPScreenshotNewSurface', 'SkipListAccountsWithoutGaiaCookies'];

/**
 * The complete command line of a Chromium; none of it comes from Playwright or other packages. The sandbox, site isolation and
 * web security keep their defaults. There is no WebGL, because its software driver would run in a process without a sandbox.
 */
export function chromiumArguments(options: ChromiumOptions): readonly string[] {
  const { profileDir, headless, sandbox, proxyServer, smallShm, trustedKeyHashes, userAgent } = options;
  return [
    ...NETWORK_SWITCHES,
    ...QUIET_SWITCHES,
    ...PLAYWRIGHT_SWITCHES,
    `--proxy-server=${proxyServer}`,
    // The proxy resolves host names. Lookups by the browser itself fail.
    `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${new URL(proxyServer).hostname}`,
    `--disable-features=${DISABLED_FEATURES.join(',')}`,
    `--enable-features=${ENABLED_FEATURES.join(',')}`,
    `--js-flags=--max-old-space-size=${MAX_JS_HEAP_MIB}`,
    '--disable-gpu',
    '--lang=en-US',
    `--user-agent=${userAgent}`,
    ...(headless ? ['--headless', '--hide-scrollbars', MOUSE_SWITCH] : []),
    ...(sandbox ? [] : ['--no-sandbox']),
    ...(smallShm ? ['--disable-dev-shm-usage'] : []),
    ...(trustedKeyHashes.length === 0
      ? []
      : [`--ignore-certificate-errors-spki-list=${trustedKeyHashes.join()}`]),
    `--user-data-dir=${profileDir}`,
    '--remote-debugging-pipe',
    '--no-startup-window',
  ];
}

/** Reports a mouse, so that media queries such as `(hover)` have the same result on machines without one. */
const MOUSE_SWITCH =
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4';
