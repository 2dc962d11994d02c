import { isObject } from '../../domain/json-schema.ts';
import { readActions } from './actions.ts';
import { BadRequest } from './bad-request.ts';
import type { ScrapeDraft } from './draft.ts';
import { readFormats } from './formats.ts';
import {
  booleanAt,
  choiceAt,
  ignored,
  listAt,
  type Members,
  numberAt,
  objectAt,
  readMembers,
  refused,
  stored,
  supported,
  textAt,
  textsAt,
} from './members.ts';

/** What clients say about themselves. */
export const CLIENT_MEMBERS = {
  origin: ignored('the name of the client'),
  integration: ignored('the name of the client'),
};

/** The device of `mobile`: a phone whose browser is a Chromium, as ours is. */
const PHONE = 'Pixel 7';

/**
 * Requests to the large networks for advertisements. A browser does not send them with `blockAds`. The list is short on
 * purpose: it is of hosts that serve nothing else.
 */
const AD_HOSTS = [
  ...['doubleclick.net', 'googlesyndication.com', 'googleadservices.com', 'adnxs.com', 'amazon-adsystem.com'],
  ...['criteo.com', 'criteo.net', 'taboola.com', 'outbrain.com', 'pubmatic.com', 'rubiconproject.com'],
  ...['openx.net', 'adsrvr.org', 'casalemedia.com', '3lift.com', 'smartadserver.com', 'teads.tv'],
];

/** `scrapeOptions`: the members of a scrape besides `url`. */
export const SCRAPE_OPTIONS: Members<ScrapeDraft> = {
  formats: supported('see the formats', readFormats),
  headers: supported('sent with the request', (value, draft, at) => {
    for (const [name, text] of Object.entries(objectAt(value, at)))
      draft.headers[name] = textAt(text, `${at}.${name}`);
  }),
  includeTags: stored('CSS selectors of the content', 'includeTags', textsAt),
  excludeTags: stored('CSS selectors that are left out', 'excludeTags', textsAt),
  onlyMainContent: supported(
    'default `true`; `false`: `html` is the whole document, with scripts',
    (value, draft, at) => {
      draft.onlyMainContent = booleanAt(value, at);
    },
  ),
  timeout: supported('1,000 to 300,000 ms; default 60,000', (value, draft, at) => {
    draft.request.timeout_ms = numberAt(value, at);
  }),
  waitFor: supported('ms, in a browser', (value, draft, at) => {
    if (numberAt(value, at) > 0) draft.request.wait_for_timeout_ms = value;
  }),
  mobile: supported(`as a phone (${PHONE}), in a browser`, (value, draft, at) => {
    if (booleanAt(value, at)) draft.options.device = PHONE;
  }),
  parsers: supported('`pdf`, of which the text is read; documents are always read', readParsers),
  actions: supported('see the actions; in a browser', readActions),
  location: supported(
    'an exit in this country, if the service has one; languages as `Accept-Language`',
    (value, draft, at) => {
      readMembers(LOCATION, value, draft, at);
    },
  ),
  skipTlsVerification: stored('default `true`, as Firecrawl', 'skipTlsVerification', booleanAt),
  removeBase64Images: refused('Markdown never has pictures as `data:` URLs. rawHtml and html have them.', [
    true,
  ]),
  fastMode: supported('`router.sort: fastest`', (value, draft, at) => {
    if (booleanAt(value, at)) draft.router.sort = 'fastest';
  }),
  blockAds: supported(
    '`true`: in a browser that asks none of the large ad networks. Left out: ads are not in the main content',
    (value, draft, at) => {
      if (booleanAt(value, at))
        draft.options.block = {
          url_patterns: AD_HOSTS.flatMap((host) => [`*://${host}/**`, `*://*.${host}/**`]),
        };
    },
  ),
  proxy: supported(
    '`basic`: the default exits; `stealth`, `enhanced`: residential ones; `auto`: residential ones where the default fails',
    (value, draft, at) => {
      const kind = choiceAt(value, at, ['basic', 'stealth', 'enhanced', 'auto']);
      if (kind === 'auto') draft.router.escalate_proxy = ['residential'];
      else if (kind !== 'basic') setProxy(draft, { type: 'residential' });
    },
  ),
  maxAge: supported('pages are always fetched again, so none is older', (value, _, at) => {
    numberAt(value, at);
  }),
  minAge: refused('pages are always fetched again.', [0]),
  storeInCache: supported('there is no cache; results are records of your user alone', (value, _, at) => {
    booleanAt(value, at);
  }),
  lockdown: refused('there is no cache to read from.', [false]),
  zeroDataRetention: supported(
    'keeps no content (`router.retain: none`); not in crawls and batches',
    (value, draft, at) => {
      if (!booleanAt(value, at)) return;
      draft.router.retain = 'none';
      draft.notInJobs = `${at} is not for crawls and batches: their results are kept until they are fetched.`;
    },
  ),
  redactPII: refused('Sluice does not redact.', [false]),
  threatProtection: supported('only `{mode: "off"}`', (value, _, at) => {
    if (objectAt(value, at).mode !== 'off')
      throw new BadRequest(`${at} is not supported by this service: it only knows the mode "off".`);
  }),
  auditMetadata: supported('`username` becomes a tag of the record', (value, draft, at) => {
    const { username } = objectAt(value, at);
    draft.router.tags = {
      ...(draft.router.tags as object | undefined),
      username: textAt(username, `${at}.username`),
    };
  }),
  profile: supported(
    '`name` of a profile of this service, which must exist; `saveChanges` (default `true`): what the site renews is kept',
    (value, draft, at) => {
      const profile: Record<string, unknown> = { save: 'on_success' };
      readMembers(PROFILE, value, profile, at);
      if (profile.name === undefined) throw new BadRequest(`${at} must have a name.`);
      draft.options.profile = profile;
    },
  ),
  useMock: refused('it is for tests of Firecrawl itself.'),
  domainTools: refused('Sluice has no tools of domains.', [false]),
  toolDetail: refused('Sluice has no tools of domains.'),
  ...CLIENT_MEMBERS,
};

const PROFILE: Members<Record<string, unknown>> = {
  name: stored('its name', 'name', textAt),
  saveChanges: stored('default `true`', 'save', (value, at) =>
    booleanAt(value, at) ? 'on_success' : 'never',
  ),
};

function setProxy(draft: ScrapeDraft, members: Readonly<Record<string, unknown>>): void {
  draft.request.proxy = { ...(draft.request.proxy as object | undefined), ...members };
}

export const LOCATION: Members<ScrapeDraft> = {
  country: supported('ISO 3166-1 alpha-2', (value, draft, at) => {
    setProxy(draft, { country: textAt(value, at).toUpperCase() });
  }),
  languages: supported('`Accept-Language`', (value, draft, at) => {
    const languages = textsAt(value, at);
    const isGiven = Object.keys(draft.headers).some((name) => name.toLowerCase() === 'accept-language');
    if (languages.length > 0 && !isGiven) draft.headers['Accept-Language'] = languages.join(', ');
  }),
};

const PDF_PARSER: Members<null> = {
  mode: supported('`fast` or `auto`: the text of the file', (value, _, at) => {
    if (choiceAt(value, at, ['fast', 'auto', 'ocr']) === 'ocr')
      throw new BadRequest(`${at}: ocr is not supported by this service: it reads the text of the file.`);
  }),
  maxPages: refused('all pages are read, up to 2,000.'),
  pages: refused('the Markdown is of the whole document.', [false]),
  pageMarkdown: refused('the Markdown is of the whole document.', [false]),
  blocks: refused('the Markdown is of the whole document.', [false]),
  pageMarkers: refused('the Markdown is of the whole document.', [false]),
};

function readParsers(value: unknown, _: ScrapeDraft, at: string): void {
  const entries = listAt(value, at);
  if (entries.length === 0)
    throw new BadRequest(
      `${at}: documents are always read by this service; leave it out, or ask for rawHtml.`,
    );
  for (const [index, entry] of entries.entries()) {
    const path = `${at}[${index}]`;
    const { type, ...options } = isObject(entry) ? entry : { type: entry };
    if (type !== 'pdf')
      throw new BadRequest(
        `${path}: the parser ${JSON.stringify(type)} is not supported by this service, only "pdf".`,
      );
    readMembers(PDF_PARSER, options, null, path);
  }
}

/** `scrapeOptions` with its default: Markdown. */
export function readScrapeOptions(value: unknown, draft: ScrapeDraft, at: string): void {
  readMembers(SCRAPE_OPTIONS, value, draft, at);
  if (isObject(value) && value.formats !== undefined && value.formats !== null) return;
  readFormats(['markdown'], draft, 'formats');
}
