import { t } from '@lingui/core/macro';
import { type Json, type JsonObject, type Path, sameJson, valueAt } from '../model/json.ts';

export const TASK_NAMES = ['schema', 'markdown', 'data', 'screenshot', 'actions', 'country', 'map'] as const;
export type TaskName = (typeof TASK_NAMES)[number];

/** Where the request of the form can be taken. */
export const DESTINATIONS = [
  { to: '/jobs/new-batch', label: t`Many URLs` },
  { to: '/jobs/new-crawl', label: t`Whole site` },
  { to: '/monitors/new', label: t`Watch this page` },
  { to: '/schedules/new', label: t`On a schedule` },
] as const;

/** A change of the request; undefined removes the member. */
export type Edit = readonly [path: Path, value: Json | undefined];

interface Task {
  readonly label: string;
  readonly hint: string;
  /** What choosing the task writes into the request. */
  readonly preset: readonly (readonly [path: Path, value: Json])[];
  /** Pointers of the fields that the task needs, the most used first. */
  readonly fields: readonly string[];
}

export const TASKS: Readonly<Record<TaskName, Task>> = {
  schema: {
    label: t`Data by a schema`,
    hint: t`Fills these fields with what the page says, without selectors. Each value comes with its place in the page, and nothing is invented.`,
    preset: [
      [
        ['scraper_options', 'json'],
        { schema: { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } } },
      ],
    ],
    fields: [],
  },
  markdown: {
    label: t`Page as Markdown`,
    hint: t`Returns the text of the page as Markdown, without menus and footers.`,
    preset: [
      [['scraper_options', 'formats'], ['markdown']],
      [['scraper_options', 'only_main_content'], true],
    ],
    fields: ['/scraper_options/only_main_content', '/scraper_options/markdown', '/wait_for_selector'],
  },
  data: {
    label: t`Data by selectors`,
    hint: t`Returns values of the page by CSS selectors. Run once, then edit the fields: what they find appears without another fetch.`,
    preset: [],
    fields: [],
  },
  screenshot: {
    label: t`Screenshot`,
    hint: t`Opens the page in a browser and takes a picture of it.`,
    preset: [[['screenshot'], true]],
    fields: ['/screenshot', '/scraper_options/screenshot', '/wait_for_selector'],
  },
  actions: {
    label: t`Log in and click`,
    hint: t`Runs these actions in a browser, one after the other. Replace the selectors with those of your page.`,
    preset: [
      [
        ['page_actions'],
        [
          { type: 'fill', selector: '#username', value: '' },
          { type: 'fill', selector: '#password', value: '' },
          { type: 'click', selector: 'button[type=submit]' },
        ],
      ],
    ],
    fields: ['/page_actions', '/screenshot'],
  },
  country: {
    label: t`Through a country`,
    hint: t`Sends the request through a proxy in this country. The proxies are those of this installation.`,
    preset: [],
    fields: ['/proxy/country', '/proxy/type', '/proxy/pool'],
  },
  map: {
    label: t`URLs of a site`,
    hint: t`Lists the URLs of the site by its sitemaps and the links of this page. No other page is fetched.`,
    preset: [],
    fields: [],
  },
};

/**
 * The changes of the request when a task is chosen. They remove what the previous task wrote and the user has not changed
 * since, and keep everything else.
 */
export function editsForTask(
  request: JsonObject,
  previous: TaskName | null,
  next: TaskName | null,
): readonly Edit[] {
  const edits = new Map<string, Edit>();
  const current = (path: Path): Json | undefined => {
    const edit = edits.get(JSON.stringify(path));
    return edit === undefined ? valueAt(request, path) : edit[1];
  };
  const write = (path: Path, value: Json | undefined) => void edits.set(JSON.stringify(path), [path, value]);
  for (const [path, value] of previous === null ? [] : TASKS[previous].preset) {
    const present = current(path);
    if (sameJson(present, value)) write(path, undefined);
    else if (isWords(value) && isWords(present))
      write(
        path,
        present.filter((word) => !value.includes(word)),
      );
  }
  for (const [path, value] of next === null ? [] : TASKS[next].preset) {
    const present = current(path);
    if (present === undefined) write(path, value);
    else if (isWords(value) && isWords(present)) write(path, [...new Set([...present, ...value])]);
  }
  return [...edits.values()];
}

const isWords = (value: Json | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
