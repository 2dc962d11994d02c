/** What the documents of a request contain, as it asked. Plain data: it is kept with jobs, in `metadata`. */
export interface WantedParts {
  /** Members of the documents, such as `markdown` and `rawHtml`. */
  readonly members: readonly string[];
  /** Selectors of the format `attributes`; the values are in `scraper_data.extract` under `a0`, `a1`, … */
  readonly attributes: readonly { readonly selector: string; readonly attribute: string }[];
  /** The types of their actions, by the index of ours. */
  readonly actions: readonly string[];
  /** What was left out of the request, as sentences for `warning`. Absent: nothing. */
  readonly notes?: readonly string[];
}

/** A scrape request in the making. */
export interface ScrapeDraft {
  /** Members of our request. */
  readonly request: Record<string, unknown>;
  /** `scraper_options` of our request. */
  readonly options: Record<string, unknown>;
  /** `router` of our request. */
  readonly router: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly formats: Set<string>;
  readonly wanted: {
    readonly members: Set<string>;
    attributes: { readonly selector: string; readonly attribute: string }[];
    actions: string[];
    notes: string[];
  };
  onlyMainContent: boolean;
  includeTags: readonly string[];
  excludeTags: readonly string[];
  skipTlsVerification: boolean;
  /** Why the request cannot be an item of a job; null: it can. */
  notInJobs: string | null;
  /** Where the request has a prompt for the language model; null: it has none. */
  prompt: string | null;
}

/** With the defaults of Firecrawl. */
export const newDraft = (): ScrapeDraft => ({
  request: {},
  options: {},
  router: {},
  headers: {},
  formats: new Set(),
  wanted: { members: new Set(), attributes: [], actions: [], notes: [] },
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  skipTlsVerification: true,
  notInJobs: null,
  prompt: null,
});

/** What shows nothing. Firecrawl leaves it out of `html`, too. */
const NOT_SHOWN = ['script', 'style', 'noscript', 'template'];

/** Attributes that a pattern looks at: those that name an element or say what it is for. */
const NAMING = ['class', 'id', 'name', 'role', 'aria-label', 'data-testid', 'data-component', 'title'];

/** Elements whose names a pattern may be meant for. */
const ELEMENTS =
  'address article aside audio button canvas dialog embed figure footer form header iframe img nav object picture script section style svg table video'.split(
    ' ',
  );

/** A selector of `excludeTags`: `*ads*` means elements with this text in an attribute that names them, or in their own name. */
function selectorOf(tag: string): string {
  const text = /^\*([^*]+)\*$/.exec(tag.trim())?.[1];
  if (text === undefined) return tag;
  const attributes = NAMING.map((name) => `[${name}*=${JSON.stringify(text)} i]`);
  const elements = ELEMENTS.filter((name) => name.includes(text.toLowerCase()));
  return `:is(${[...elements, ...attributes].join(', ')}):not(html, body)`;
}

/** `scraper_options` that choose the content. Firecrawl reads links and pictures from all but the frame of the page. */
function contentOptions({ onlyMainContent, includeTags, excludeTags, wanted }: ScrapeDraft) {
  if (!onlyMainContent && includeTags.length + excludeTags.length === 0) return { only_main_content: false };
  const include = includeTags.length > 0 || onlyMainContent ? includeTags : ['body'];
  const exclude = [...excludeTags.map(selectorOf), ...(wanted.members.has('html') ? NOT_SHOWN : [])];
  const wantsLinks = wanted.members.has('links') || wanted.members.has('images');
  const chosen = {
    ...(include.length === 0 ? {} : { include }),
    ...(exclude.length === 0 ? {} : { exclude }),
    ...(wantsLinks && include.length === 0 ? { links_from: 'page' } : {}),
  };
  return {
    only_main_content: true,
    ...(Object.keys(chosen).length === 0 ? {} : { main_content: chosen }),
  };
}

/** The members of our scrape request, without `url`. */
export function requestOf(draft: ScrapeDraft): Record<string, unknown> {
  const { request, options, router, headers, wanted } = draft;
  return {
    ...request,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(Object.keys(router).length === 0 ? {} : { router }),
    scraper_options: {
      ...options,
      formats: [...draft.formats, 'metadata'],
      verify_tls: !draft.skipTlsVerification,
      // What the target sent is only in `rawHtml`.
      ...(wanted.members.has('rawHtml') ? {} : { return_content: false }),
      ...contentOptions(draft),
    },
  };
}

export const wantedOf = ({ wanted: { notes, ...wanted } }: ScrapeDraft): WantedParts => ({
  ...wanted,
  members: [...wanted.members],
  ...(notes.length === 0 ? {} : { notes }),
});
