import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { VARIABLES } from '../../src/config/variables.ts';
import { SCOPES } from '../../src/domain/account.ts';
import { CRAWL_SCOPES } from '../../src/domain/crawl.ts';
import { FAILURES, RETRY_CHANGES, WARNINGS } from '../../src/domain/failure.ts';
import { ITEM_STATES, JOB_STATES } from '../../src/domain/jobs.ts';
import { CHANGE_STATES, COMPARED_FORMATS, IGNORED_PARTS, MONITOR_KINDS } from '../../src/domain/monitors.ts';
import { SCHEDULE_RUN_STATES, SCHEDULED_KINDS } from '../../src/domain/schedules.ts';
import { OUTCOMES } from '../../src/domain/scrape.ts';
import { METHODS } from '../../src/domain/task.ts';
import { WEBHOOK_EVENTS } from '../../src/domain/webhooks.ts';
import { MAP_DROP_REASONS } from '../../src/jobs/crawl/map-site.ts';
import { PAGE_TOOLS } from '../../src/mcp/tools/page-tools.ts';
import { SITE_TOOLS } from '../../src/mcp/tools/site-tools.ts';
import { ACTIONS } from '../../src/wire/request/page-action-schema.ts';
import { ROOT } from '../helpers/repository.ts';

const CONTRACT = readFileSync(join(ROOT, 'docs', 'contract.md'), 'utf8');

/** The text of a section of the contract, by its number. */
const section = (n: number): string =>
  new RegExp(`^## ${n}\\..*?(?=^## |(?![\\s\\S]))`, 'ms').exec(CONTRACT)?.[0] ??
  assert.fail(`no section ${n}`);

/** What `pattern` finds in a section: its first group, once. */
function found(n: number, pattern: RegExp): string {
  const match = pattern.exec(section(n));
  assert.ok(match !== null, `section ${n} has nothing like ${pattern}`);
  return match[1]!;
}

const names = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name]) => name!);
const QUOTED = /`([^`]+)`/g;
const WORD = /([\w-]+)/g;
const CODE = /`([a-z][a-z0-9_]*\.[a-z0-9_]+)`/g;

/** The closed lists: what the contract says, and what the program has. */
const LISTS: readonly (readonly [what: string, told: () => readonly string[], known: Iterable<string>])[] = [
  [
    'codes of errors (§10)',
    // Members and files have points, too.
    () =>
      names(section(10), CODE).filter((name) => !name.startsWith('details.') && !name.startsWith('router.')),
    Object.keys(FAILURES),
  ],
  [
    'warnings (§4)',
    () => names(found(4, /Warnings are in (.*)/), CODE).filter((name) => name !== 'router.warnings'),
    Object.keys(WARNINGS),
  ],
  [
    'sources of errors (§4)',
    () => names(found(4, /source: ([\w|]+)/), WORD),
    Object.values(FAILURES).map(({ source }) => source),
  ],
  [
    'outcomes (§4)',
    () => names(found(4, /^`outcome`, the first that fits: (.*)/m), /(?:^|· )`([a-z_]+)`/g),
    OUTCOMES,
  ],
  [
    'variables (§11)',
    () => names(section(11), /`(SLUICE_[A-Z0-9_]+)(?:\[_FILE\])?`/g),
    Object.values(VARIABLES).map(({ name }) => name),
  ],
  ['methods (§1)', () => names(found(1, /^\| `method` \| ([A-Z ]+)/m), WORD), METHODS],
  [
    'page actions (§3)',
    () => [...section(3).matchAll(/^\| ((?:`\w+` )+)\|/gm)].flatMap(([, cell]) => names(cell!, QUOTED)),
    ACTIONS.keys(),
  ],
  ['scopes (§9)', () => names(found(9, /scopes \(([^;]*);/), QUOTED), SCOPES],
  [
    'changes that may help (§9)',
    () => names(found(9, /`retry`: changes of the request that may help, `([^`]*)`/), WORD),
    RETRY_CHANGES,
  ],
  ['states of items (§13)', () => names(found(13, /item `([a-z|]+)`/), WORD), ITEM_STATES],
  ['states of jobs (§13)', () => names(found(13, /; job `([a-z|]+)`/), WORD), JOB_STATES],
  [
    'scopes of crawls (§13)',
    () => names(found(13, /scope: (host .*?\|any)/).replaceAll(/\([^)]*\)/g, ''), WORD),
    CRAWL_SCOPES,
  ],
  [
    'what maps drop (§13)',
    () => names(found(13, /dropped \{([^}]*)\}/).replaceAll(/\([^)]*\)/g, ''), WORD),
    MAP_DROP_REASONS,
  ],
  [
    'events of webhooks (§13)',
    () => names(found(13, /`events`: of (.*?); default/).replaceAll(/\([^)]*\)/g, ''), QUOTED),
    WEBHOOK_EVENTS,
  ],
  [
    'what monitors run (§14)',
    () => names(found(14, /\{name, (request \| crawl \| batch),/), WORD),
    MONITOR_KINDS,
  ],
  [
    'formats of comparisons (§14)',
    () => names(found(14, /`compare \{format: ([^,]*),/).replace('(default)', ''), WORD),
    COMPARED_FORMATS,
  ],
  [
    'ignored parts (§14)',
    () => names(found(14, /ignore: \[CSS selector \| \/regex\/ \| ([^\]]*)\]/), WORD),
    IGNORED_PARTS,
  ],
  ['states of changes (§14)', () => names(found(14, /change \{state: ([\w|]+)/), WORD), CHANGE_STATES],
  [
    'kinds of jobs of schedules (§24)',
    () => names(found(24, /job: \{kind: ([\w|]+),/), WORD),
    SCHEDULED_KINDS,
  ],
  [
    'states of runs of schedules (§24)',
    () => names(found(24, /`\{n, state: ([\w|]+),/), WORD),
    SCHEDULE_RUN_STATES,
  ],
  [
    'tools (§18)',
    () =>
      names(found(18, /- Tools: (.*?)\. `request`/s), /`(\w+)(?: \{[^`]*\})?`/g).filter(
        (name) => name !== 'page_chars',
      ),
    [...PAGE_TOOLS, ...SITE_TOOLS].map(({ name }) => name),
  ],
];

describe('closed lists of docs/contract.md are those of the program', () => {
  for (const [what, told, known] of LISTS)
    test(what, () => assert.deepEqual([...new Set(told())].sort(), [...new Set(known)].sort()));
});
