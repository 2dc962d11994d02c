import { MAX_JS_HEAP_MIB } from './processes.ts';

export interface ChromiumOptions {
  readonly profileDir: string;
  readonly headless: boolean;
  readonly sandbox: boolean;
  /** `http://127.0.0.1:1234`: the only address that the browser may connect to. */
  readonly proxyServer: string;
  /** What it says that it is where nobody can tell it: to shared workers. */
  readonly userAgent: string;
  /** Whether there is too little shared memory for pages. */
  readonly smallShm: boolean;
  /** Hash of a public key of this process, whose certificates are taken; null: none. */
  readonly trustedKeyHash: string | null;
}

/** Nothing of the browser's own goes out, and nothing goes past the proxy. */
const NETWORK_SWITCHES: readonly string[] = [
  // Without this rule Chromium connects to loopback addresses directly, whatever the proxy is.
  '--proxy-bypass-list=<-loopback>',
  // UDP knows no HTTP proxy.
  '--disable-quic',
  // The first is the switch of Chrome, the second that of builds without windows.
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

/** No question, no dialog and no keyring between the page and us, and the same picture on every machine. */
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

/** What Playwright counts on: pages that work at full speed also when they are not to be seen, and fresh documents. */
const PLAYWRIGHT_SWITCHES: readonly string[] = [
  '--allow-pre-commit-input',
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--unsafely-disable-devtools-self-xss-warnings',
];

const DISABLED_FEATURES: readonly string[] = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'CertificateTransparencyComponentUpdater',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  // The scheme is what the caller says it is.
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'Translate',
  // Pages of the window's own that nobody sees: with them a page cost 720 ms of processor time in Chromium 156, without 230.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
  'WebUIReloadButton',
  'msForceBrowserSignIn',
];

const ENABLED_FEATURES: readonly string[] = ['CDPScreenshotNewSurface', 'SkipListAccountsWithoutGaiaCookies'];

/**
 * All switches of a Chromium of ours; nothing comes from Playwright or from packages. The sandbox, site isolation and web
 * security stay as they are made. Graphics are drawn by the processor without WebGL: its software driver would run
 * what pages send it in a process without a sandbox.
 */
export function chromiumArguments(ask: ChromiumOptions): readonly string[] {
  const { profileDir, headless, sandbox, proxyServer, smallShm, trustedKeyHash, userAgent } = ask;
  return [
    ...NETWORK_SWITCHES,
    ...QUIET_SWITCHES,
    ...PLAYWRIGHT_SWITCHES,
    `--proxy-server=${proxyServer}`,
    // Names are resolved by the proxy. Whatever would look one up or connect by itself, does not get far.
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
    ...(trustedKeyHash === null ? [] : [`--ignore-certificate-errors-spki-list=${trustedKeyHash}`]),
    `--user-data-dir=${profileDir}`,
    '--remote-debugging-pipe',
    '--no-startup-window',
  ];
}

/** A machine without a mouse answers otherwise to `(hover)`. */
const MOUSE_SWITCH =
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4';
