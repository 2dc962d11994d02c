import { isObject } from '../../domain/json-schema.ts';
import { BadRequest } from './bad-request.ts';
import type { ScrapeDraft } from './draft.ts';
import {
  booleanAt,
  type Json,
  listAt,
  type Members,
  numberAt,
  objectAt,
  readMembers,
  refused,
  supported,
  textAt,
} from './members.ts';

const needsModel = 'Sluice has no summaries or answers: `json` extracts values that are in the page.';

const format = (name: string, ours: string, says: string) =>
  supported<ScrapeDraft>(says, (value, { formats, wanted }, at) => {
    readMembers({}, value, null, at);
    formats.add(ours);
    wanted.members.add(name);
  });

/** The formats of a scrape. The value is the format as an object without `type`. */
export const FORMATS: Members<ScrapeDraft> = {
  markdown: format('markdown', 'markdown', 'Markdown of the content'),
  html: format('html', 'html', 'the elements of the content as they are, without scripts and styles'),
  rawHtml: supported(
    'the body as the target sent it, or the document of a browser; only text',
    (_, draft) => {
      draft.wanted.members.add('rawHtml');
    },
  ),
  links: format('links', 'links', 'URLs of the links in the page without its frame, or in `includeTags`'),
  images: format(
    'images',
    'images',
    'URLs of the pictures in the page without its frame, or in `includeTags`, without `data:`',
  ),
  screenshot: supported(
    'link to a PNG, or a JPEG if `quality` is given; for 24 hours',
    (value, draft, at) => {
      draft.request.screenshot = true;
      draft.wanted.members.add('screenshot');
      readMembers(SCREENSHOT, value, draft, at);
    },
  ),
  'screenshot@fullPage': supported('the same as `{type: "screenshot", fullPage: true}`', (_, draft) => {
    draft.request.screenshot = true;
    draft.wanted.members.add('screenshot');
    screenshotOptions(draft).full_page = true;
  }),
  json: supported(
    'values by `schema`, also without a model; `prompt` needs one (`SLUICE_LLM_URL`)',
    (value, draft, at) => {
      draft.wanted.members.add('json');
      const json: Record<string, unknown> = {};
      readMembers(JSON_FORMAT, value, { json, draft }, at);
      if (json.schema === undefined && json.prompt === undefined)
        throw new BadRequest(`${at} must have a schema, a prompt, or both.`);
      draft.options.json = json;
    },
  ),
  changeTracking: supported(
    'compares with your last scrape of the URL, as `git-diff`; not in crawls and batches',
    (value, draft, at) => {
      draft.wanted.members.add('changeTracking');
      draft.notInJobs = `${at} is not for crawls, batches and monitors: only POST /v2/scrape compares.`;
      readMembers(CHANGE_TRACKING, value, draft, at);
      const tag = draft.router.tags as Record<string, string> | undefined;
      draft.router.compare_to = {
        record: 'last',
        format: 'markdown',
        ...(tag === undefined ? {} : { tag: `${CHANGE_TAG}:${tag[CHANGE_TAG]}` }),
      };
      draft.formats.add('markdown');
    },
  ),
  attributes: supported('values of attributes by selectors', (value, draft, at) => {
    draft.wanted.members.add('attributes');
    readMembers(ATTRIBUTES, value, draft, at);
    if (draft.wanted.attributes.length === 0) throw new BadRequest(`${at} must have selectors.`);
  }),
  summary: refused(needsModel),
  question: refused(needsModel),
  highlights: refused(needsModel),
  query: refused(needsModel),
  branding: refused('Sluice does not describe the design of pages.'),
  product: refused('use `json` with a schema.'),
  menu: refused('use `json` with a schema.'),
  audio: refused('Sluice reads no audio.'),
  video: refused('Sluice reads no video.'),
};

/** The tag of our records that a `tag` of changeTracking becomes. */
const CHANGE_TAG = 'change_tracking';

function screenshotOptions(draft: ScrapeDraft): Record<string, unknown> {
  draft.options.screenshot ??= {};
  return draft.options.screenshot as Record<string, unknown>;
}

export const SCREENSHOT: Members<ScrapeDraft> = {
  fullPage: supported('the whole page', (value, draft, at) => {
    if (booleanAt(value, at)) screenshotOptions(draft).full_page = true;
  }),
  quality: supported('0 to 100; the picture is then a JPEG', (value, draft, at) => {
    Object.assign(screenshotOptions(draft), { type: 'jpeg', quality: numberAt(value, at) });
  }),
  viewport: supported('size of the window', (value, draft, at) => {
    const { width, height } = objectAt(value, at);
    draft.options.viewport = {
      width: numberAt(width, `${at}.width`),
      height: numberAt(height, `${at}.height`),
    };
  }),
};

interface JsonDraft {
  readonly json: Record<string, unknown>;
  readonly draft: ScrapeDraft;
}

export const JSON_FORMAT: Members<JsonDraft> = {
  schema: supported('a JSON Schema', (value, { json }, at) => {
    // Converters write that they mean draft 7, whose words for plain data mean the same in 2020-12.
    const { $schema: _, ...schema } = objectAt(value, at);
    json.schema = schema;
  }),
  prompt: supported('needs a model', (value, { json, draft }, at) => {
    json.prompt = textAt(value, at);
    draft.prompt = at;
  }),
  checkPromptInjection: refused('what a model says must be in the page, whatever the page says to it.', [
    false,
  ]),
};

export const CHANGE_TRACKING: Members<ScrapeDraft> = {
  modes: supported('`git-diff`', (value, _, at) => {
    for (const mode of listAt(value, at))
      if (mode !== 'git-diff')
        throw new BadRequest(
          `${at}: ${JSON.stringify(mode)} is not supported by this service, only "git-diff".`,
        );
  }),
  tag: supported('compares only with scrapes that have the same tag', (value, draft, at) => {
    const tag = textAt(value, at);
    if (tag.length > 64) throw new BadRequest(`${at} may have at most 64 characters.`);
    draft.router.tags = { ...(draft.router.tags as Json | undefined), [CHANGE_TAG]: tag };
  }),
  schema: refused('it belongs to the mode `json`.'),
  prompt: refused('it belongs to the mode `json`.'),
};

export const ATTRIBUTES: Members<ScrapeDraft> = {
  selectors: supported('`{selector, attribute}`', (value, draft, at) => {
    draft.wanted.attributes = listAt(value, at).map((entry, index) => {
      const path = `${at}[${index}]`;
      const { selector, attribute } = objectAt(entry, path);
      return {
        selector: textAt(selector, `${path}.selector`),
        attribute: textAt(attribute, `${path}.attribute`),
      };
    });
    draft.options.extract = Object.fromEntries(
      draft.wanted.attributes.map(({ selector, attribute }, index) => [
        `a${index}`,
        { selector, type: 'list', output: `@${attribute}` },
      ]),
    );
  }),
};

/** `formats`: names, or objects with `type`. */
export function readFormats(value: unknown, draft: ScrapeDraft, at: string): void {
  for (const [index, entry] of listAt(value, at).entries()) {
    const path = `${at}[${index}]`;
    const { type, ...options } = isObject(entry) ? entry : { type: entry };
    const name = textAt(type, isObject(entry) ? `${path}.type` : path);
    const row = Object.hasOwn(FORMATS, name) ? FORMATS[name]! : null;
    if (row === null)
      throw new BadRequest(
        `${path}: there is no format ${JSON.stringify(name)}; there are ${Object.keys(FORMATS).join(', ')}.`,
      );
    if (row.kind === 'refused')
      throw new BadRequest(`${path}: the format ${name} is not supported by this service: ${row.says}`);
    if (row.kind === 'supported') row.read(options, draft, path);
  }
}
