/** What an option of curl does to the request. The parts of a command that follow each other stay in order. */
export type CurlEffect =
  | 'url'
  | 'method'
  | 'header'
  | 'data'
  | 'data_raw'
  | 'data_binary'
  | 'data_urlencode'
  | 'json'
  | 'form'
  | 'form_string'
  | 'upload'
  | 'get'
  | 'head'
  | 'url_query'
  | 'cookie'
  | 'user'
  | 'bearer'
  | 'user_agent'
  | 'referer'
  | 'range'
  | 'proxy'
  | 'socks5'
  | 'socks5h'
  | 'proxy_user'
  | 'insecure'
  | 'redirects'
  | 'max_redirects'
  | 'max_time'
  | 'http1'
  /** `[` and `{` in the URL stand for themselves. */
  | 'globoff'
  /** Nothing about the request or the page: what curl prints, how it waits and tries again. */
  | 'nothing';

export interface CurlOption {
  readonly effect: CurlEffect;
  readonly takesValue: boolean;
}

const flag = (effect: CurlEffect): CurlOption => ({ effect, takesValue: false });
const value = (effect: CurlEffect): CurlOption => ({ effect, takesValue: true });

/** The options of curl (its manual) that a scrape request can do, by their long names. */
export const CURL_OPTIONS: Readonly<Record<string, CurlOption>> = {
  url: value('url'),
  request: value('method'),
  header: value('header'),
  data: value('data'),
  'data-ascii': value('data'),
  'data-raw': value('data_raw'),
  'data-binary': value('data_binary'),
  'data-urlencode': value('data_urlencode'),
  json: value('json'),
  form: value('form'),
  'form-string': value('form_string'),
  'upload-file': value('upload'),
  get: flag('get'),
  head: flag('head'),
  'url-query': value('url_query'),
  cookie: value('cookie'),
  user: value('user'),
  basic: flag('nothing'),
  'oauth2-bearer': value('bearer'),
  'user-agent': value('user_agent'),
  referer: value('referer'),
  range: value('range'),
  proxy: value('proxy'),
  socks5: value('socks5'),
  'socks5-hostname': value('socks5h'),
  'proxy-user': value('proxy_user'),
  insecure: flag('insecure'),
  location: flag('redirects'),
  'max-redirs': value('max_redirects'),
  'max-time': value('max_time'),
  'http1.1': flag('http1'),
  // HTTP/2 where the target offers it is what `http` does anyway.
  http2: flag('nothing'),
  globoff: flag('globoff'),
  compressed: flag('nothing'),
  'connect-timeout': value('nothing'),
  'cookie-jar': value('nothing'),
  'dump-header': value('nothing'),
  fail: flag('nothing'),
  'fail-with-body': flag('nothing'),
  include: flag('nothing'),
  'keepalive-time': value('nothing'),
  'no-buffer': flag('nothing'),
  'no-progress-meter': flag('nothing'),
  output: value('nothing'),
  'progress-bar': flag('nothing'),
  'remote-name': flag('nothing'),
  retry: value('nothing'),
  'retry-delay': value('nothing'),
  'retry-max-time': value('nothing'),
  'show-error': flag('nothing'),
  silent: flag('nothing'),
  stderr: value('nothing'),
  'tcp-nodelay': flag('nothing'),
  trace: value('nothing'),
  'trace-ascii': value('nothing'),
  verbose: flag('nothing'),
  'write-out': value('nothing'),
};

/** Long names by the letters of curl. */
export const CURL_LETTERS: Readonly<Record<string, string>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  F: 'form',
  T: 'upload-file',
  G: 'get',
  I: 'head',
  b: 'cookie',
  u: 'user',
  A: 'user-agent',
  e: 'referer',
  r: 'range',
  x: 'proxy',
  U: 'proxy-user',
  k: 'insecure',
  L: 'location',
  m: 'max-time',
  g: 'globoff',
  c: 'cookie-jar',
  D: 'dump-header',
  f: 'fail',
  i: 'include',
  N: 'no-buffer',
  o: 'output',
  '#': 'progress-bar',
  O: 'remote-name',
  S: 'show-error',
  s: 'silent',
  v: 'verbose',
  w: 'write-out',
};
