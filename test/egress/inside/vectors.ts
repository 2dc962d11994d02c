/** Where a vector leads, in all spellings that a page needs. */
export interface Aim {
  readonly host: string;
  readonly port: number;
  /** The same machine at an address that is not loopback: WebRTC uses no others. */
  readonly outer: string;
  /** `http://host:port/…`, or a place that redirects there. */
  readonly http: string;
}

/** One way in which a page makes its browser send something. */
export interface Vector {
  readonly name: string;
  /** HTML of the page that does it. */
  readonly page: (aim: Aim) => string;
  readonly headers?: (aim: Aim) => Readonly<Record<string, string>>;
  /** Works only as the document of a tab; all others share one page, each in a frame. */
  readonly top?: true;
  /** What it speaks knows no redirects, or no browser follows them there. */
  readonly noRedirect?: true;
  /**
   * Not every browser does it by itself within seconds, guarded or not: then its part of the control is only noted.
   * The reason.
   */
  readonly shy?: string;
  /** Builds that do it by themselves, where not all do: those without windows (`shell`), or the whole ones. */
  readonly only?: 'shell' | 'whole';
  /** Leads only to what browsers trust: https, and loopback by its address; by name it is not seen. */
  readonly trusted?: true;
  /** Why it may not reach a place either that may be reached. */
  readonly neverGuarded?: string;
}

const script = (code: string) => `<script>${code}</script>`;
const q = (text: string) => JSON.stringify(text);
/** A script of the site itself with this code. */
export const codeUrl = (code: string): string => `/code/${Buffer.from(code).toString('base64url')}.js`;
/** A page of the site itself with this text. */
const pageUrl = (html: string): string => `/page/${Buffer.from(html).toString('base64url')}.html`;
const https = ({ host, port }: Aim) => `https://${host}:${port}/x`;
const peer = (servers: (aim: Aim) => string) => (aim: Aim) =>
  script(`const connection = new RTCPeerConnection({ iceServers: [${servers(aim)}] });
    connection.createDataChannel('x');
    connection.createOffer().then((offer) => connection.setLocalDescription(offer));`);
const turn = (url: string) => `{ urls: ${q(url)}, username: 'u', credential: 'c' }`;
const NO_UDP = 'UDP goes through no proxy, so that it goes nowhere';
const AHEAD = 'a connection ahead of its request ends at the gateway';
const NO_HTTP3 = 'HTTP/3 is off: it goes through no proxy';

/** Names of vectors, one of each kind. */
export const ONE_OF_EACH_KIND: ReadonlySet<string> = new Set([
  // Documents of a tab, of a frame, and of a new window.
  'document',
  'iframe',
  'window-open',
  // What a document, a style sheet and an element with a plugin show.
  'img',
  'css-image',
  'object',
  'video',
  // Requests of scripts, of the page and of workers.
  'fetch',
  'websocket',
  'service-worker-fetch',
  // Ahead of need, as a report, and without HTTP.
  'prefetch',
  'csp-report-uri',
  'webrtc-stun',
  'webrtc-turn-tcp',
]);

export const VECTORS: readonly Vector[] = [
  { name: 'document', top: true, page: ({ http }) => script(`location.href = ${q(http)}`) },
  {
    name: 'meta-refresh',
    top: true,
    page: ({ http }) => `<meta http-equiv="refresh" content="0;url=${http}">`,
  },
  { name: 'frame-document', page: ({ http }) => script(`location.replace(${q(http)})`) },
  { name: 'iframe', page: ({ http }) => `<iframe src="${http}"></iframe>` },
  { name: 'img', page: ({ http }) => `<img src="${http}">` },
  { name: 'img-srcset', page: ({ http }) => `<img srcset="${http} 1x">` },
  { name: 'svg-image', page: ({ http }) => `<svg><image href="${http}" width="9" height="9"/></svg>` },
  { name: 'css-link', page: ({ http }) => `<link rel="stylesheet" href="${http}">` },
  { name: 'css-import', page: ({ http }) => `<style>@import url("${http}");</style>` },
  { name: 'css-image', page: ({ http }) => `<p style="background: url('${http}')">a` },
  {
    name: 'font',
    page: ({ http }) =>
      `<style>@font-face { font-family: f; src: url("${http}") } p { font-family: f }</style><p>text`,
  },
  { name: 'script', page: ({ http }) => `<script src="${http}"></script>` },
  { name: 'import', page: ({ http }) => script(`import(${q(http)}).catch(() => {})`) },
  {
    name: 'import-map',
    page: ({ http }) =>
      `<script type="importmap">{"imports":{"a":${q(http)}}}</script><script type="module">import 'a'</script>`,
  },
  { name: 'modulepreload', page: ({ http }) => `<link rel="modulepreload" href="${http}">` },
  { name: 'fetch', page: ({ http }) => script(`fetch(${q(http)}).catch(() => {})`) },
  {
    name: 'fetch-keepalive',
    page: ({ http }) =>
      script(
        `fetch(${q(http)}, { keepalive: true, method: 'POST', body: 'a', mode: 'no-cors' }).catch(() => {})`,
      ),
  },
  {
    name: 'fetch-later',
    page: ({ http }) => script(`fetchLater(${q(http)}, { activateAfter: 0 })`),
    shy: 'browsers choose when',
  },
  { name: 'fetch-https', page: (aim) => script(`fetch(${q(https(aim))}).catch(() => {})`), noRedirect: true },
  {
    name: 'xhr',
    page: ({ http }) => script(`const x = new XMLHttpRequest(); x.open('GET', ${q(http)}); x.send()`),
  },
  { name: 'beacon', page: ({ http }) => script(`navigator.sendBeacon(${q(http)}, 'a')`) },
  {
    name: 'websocket',
    page: ({ host, port }) => script(`new WebSocket('ws://${host}:${port}/x')`),
    noRedirect: true,
  },
  {
    name: 'websocket-tls',
    page: ({ host, port }) => script(`new WebSocket('wss://${host}:${port}/x')`),
    noRedirect: true,
  },
  { name: 'event-source', page: ({ http }) => script(`new EventSource(${q(http)})`) },
  {
    name: 'worker-fetch',
    page: ({ http }) => script(`new Worker(${q(codeUrl(`fetch(${q(http)})`))})`),
  },
  {
    name: 'worker-import',
    page: ({ http }) => script(`new Worker(${q(codeUrl(`importScripts(${q(http)})`))})`),
  },
  {
    name: 'worker-websocket',
    page: ({ host, port }) => script(`new Worker(${q(codeUrl(`new WebSocket('ws://${host}:${port}/x')`))})`),
    noRedirect: true,
  },
  {
    name: 'shared-worker-fetch',
    page: ({ http }) => script(`new SharedWorker(${q(codeUrl(`fetch(${q(http)})`))})`),
  },
  {
    name: 'service-worker-fetch',
    page: ({ http }) =>
      script(
        `navigator.serviceWorker.register(${q(codeUrl(`oninstall = (event) => event.waitUntil(fetch(${q(http)}))`))})`,
      ),
  },
  {
    name: 'service-worker-import',
    noRedirect: true,
    page: ({ http }) =>
      script(
        `navigator.serviceWorker.register(${q(codeUrl(`importScripts(${q(http)}, '/')`))}).catch(() => {})`,
      ),
  },
  {
    name: 'audio-worklet',
    page: ({ http }) => script(`new AudioContext().audioWorklet.addModule(${q(http)}).catch(() => {})`),
  },
  { name: 'prefetch', page: ({ http }) => `<link rel="prefetch" href="${http}">` },
  { name: 'preload', page: ({ http }) => `<link rel="preload" as="image" href="${http}">` },
  {
    name: 'preload-header',
    page: () => 'a',
    headers: ({ http }) => ({ link: `<${http}>; rel=preload; as=image` }),
  },
  {
    name: 'preconnect',
    page: ({ host, port }) => `<link rel="preconnect" href="http://${host}:${port}/">`,
    noRedirect: true,
    only: 'whole',
    neverGuarded: AHEAD,
  },
  {
    name: 'preconnect-header',
    page: () => 'a',
    headers: ({ host, port }) => ({ link: `<http://${host}:${port}>; rel=preconnect` }),
    noRedirect: true,
    only: 'whole',
    neverGuarded: AHEAD,
  },
  {
    name: 'speculation-prefetch',
    top: true,
    only: 'shell',
    trusted: true,
    page: ({ http }) =>
      `<script type="speculationrules">{"prefetch":[{"source":"list","urls":[${q(http)}],"eagerness":"immediate"}]}</script>`,
  },
  {
    name: 'speculation-header',
    top: true,
    only: 'shell',
    trusted: true,
    page: () => 'a',
    headers: ({ http }) => ({
      'speculation-rules': q(
        `/rules/${Buffer.from(JSON.stringify({ prefetch: [{ urls: [http], eagerness: 'immediate' }] })).toString('base64url')}.json`,
      ),
    }),
  },
  {
    name: 'speculation-prerender',
    top: true,
    shy: 'browsers that are driven from outside do not prerender',
    page: ({ http }) =>
      `<script type="speculationrules">{"prerender":[{"source":"list","urls":[${q(pageUrl(`<img src="${http}">`))}],"eagerness":"immediate"}]}</script>`,
  },
  {
    name: 'ping',
    page: ({ http }) =>
      `<a id="a" href="#b" ping="${http}">a</a>${script(`document.getElementById('a').click()`)}`,
    neverGuarded: 'pings are off',
  },
  {
    name: 'form-post',
    page: ({ http }) =>
      `<form id="f" method="post" action="${http}"><input name="a" value="b"></form>${script(`document.getElementById('f').submit()`)}`,
  },
  { name: 'video', page: ({ http }) => `<video preload="auto" src="${http}"></video>` },
  { name: 'video-poster', page: ({ http }) => `<video poster="${http}"></video>` },
  { name: 'audio', page: ({ http }) => `<audio preload="auto" src="${http}"></audio>` },
  {
    name: 'track',
    page: ({ http }) =>
      `<video crossorigin preload="auto" src="data:video/mp4,a"><track default src="${http}"></video>${script(`document.querySelector('video').textTracks[0].mode = 'showing'`)}`,
  },
  { name: 'object', page: ({ http }) => `<object data="${http}"></object>` },
  { name: 'embed', page: ({ http }) => `<embed src="${http}">` },
  {
    name: 'manifest',
    top: true,
    page: ({ http }) => `<link rel="manifest" crossorigin href="${http}">`,
    shy: 'a browser asks for it when it might install the page',
  },
  {
    name: 'favicon',
    top: true,
    page: ({ http }) => `<link rel="icon" href="${http}">`,
    shy: 'only browsers with windows show it',
  },
  {
    name: 'window-open',
    page: ({ http }) => script(`window.open(${q(http)})`),
    neverGuarded: 'browsers with windows open none that nobody asked for',
  },
  {
    name: 'csp-report-uri',
    noRedirect: true,
    page: () => '<img src="/x">',
    headers: ({ http }) => ({ 'content-security-policy': `img-src 'none'; report-uri ${http}` }),
  },
  {
    name: 'reporting-endpoints',
    page: () => '<img src="/x">',
    headers: ({ http }) => ({
      'reporting-endpoints': `e=${q(http)}`,
      'content-security-policy': `img-src 'none'; report-to e`,
    }),
    shy: 'reports are sent after a minute',
  },
  {
    name: 'compression-dictionary',
    page: ({ http }) => `<link rel="compression-dictionary" href="${http}">`,
    shy: 'fetched when the browser is idle',
  },
  {
    name: 'federated-sign-in',
    noRedirect: true,
    page: (aim) =>
      script(
        `navigator.credentials.get({ identity: { providers: [{ configURL: ${q(aim.http)}, clientId: 'a' }] } }).catch(() => {})`,
      ),
    shy: 'not every build has it',
  },
  {
    name: 'web-transport',
    page: ({ host, port }) => script(`new WebTransport('https://${host}:${port}/x').ready.catch(() => {})`),
    noRedirect: true,
    neverGuarded: NO_HTTP3,
  },
  {
    name: 'webrtc-stun',
    page: peer(({ outer, port }) => `{ urls: 'stun:${outer}:${port}' }`),
    noRedirect: true,
    neverGuarded: NO_UDP,
  },
  {
    name: 'webrtc-turn',
    page: peer(({ outer, port }) => turn(`turn:${outer}:${port}?transport=udp`)),
    noRedirect: true,
    neverGuarded: NO_UDP,
  },
  {
    name: 'webrtc-turn-tcp',
    page: peer(({ outer, port }) => turn(`turn:${outer}:${port}?transport=tcp`)),
    noRedirect: true,
  },
  {
    name: 'webrtc-turns',
    page: peer(({ outer, port }) => turn(`turns:${outer}:${port}?transport=tcp`)),
    noRedirect: true,
  },
  {
    name: 'dns-prefetch',
    only: 'whole',
    page: ({ host }) => `<link rel="dns-prefetch" href="http://${host}/">`,
    noRedirect: true,
    neverGuarded: 'names are looked up by the gateway, when there is a connection to be made',
  },
];
