import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import {
  ApiKey,
  ApiKeyList,
  CreatedApiKey,
  KeyCreate,
  KeyPatch,
  KeyRotate,
  User,
  UserCreate,
  UserLink,
  UserList,
  UserPatch,
} from '../account/account-schema.ts';
import * as session from '../account/session-schema.ts';
import * as answer from '../answer/answer-schema.ts';
import * as data from '../answer/scraper-data-schema.ts';
import { ScrapeList, ScrapeSummary } from '../record/list-schema.ts';
import { ACTIONS } from '../request/actions-schema.ts';
import { ExtractRuleObject } from '../request/extract.ts';
import { ScraperOptionsAsk } from '../request/options-schema.ts';
import { ProxyObject } from '../request/proxy-schema.ts';
import { ScrapeRequest } from '../request/request-schema.ts';
import { RouterObject } from '../request/router-schema.ts';
import { Site, SitePin, SiteStep } from '../sites/site-schema.ts';
import { OutcomeCounts, Stats, StatsStep } from '../stats/stats-schema.ts';
import { System, SystemBrowser, SystemBrowserKind } from '../system/system-schema.ts';
import { ACTION_EXAMPLES } from './examples.ts';
import { ProxiesState, ProxyChoices } from './proxies-schema.ts';
import { ErrorsTable, Health, ScraperList } from './service-schema.ts';

/** Named by their titles; a schema with such a title is written as a reference wherever it is used. */
const NAMED: readonly TSchema[] = [
  ScrapeRequest,
  ScraperOptionsAsk,
  ProxyObject,
  RouterObject,
  ExtractRuleObject,
  ...[...ACTIONS.values()].map((kind) => kind.schema),
  answer.ScrapeResponse,
  answer.ScrapeRecord,
  answer.ScrapeProblem,
  answer.Problem,
  answer.RouterMeta,
  answer.ErrorEntry,
  answer.WarningEntry,
  answer.ErrorCodeName,
  answer.WarningCodeName,
  answer.Cookie,
  answer.Candidate,
  answer.Attempt,
  data.ScraperData,
  data.PageLink,
  data.PageMetadata,
  data.ActionResult,
  data.CapturedExchange,
  ScrapeSummary,
  ScrapeList,
  Stats,
  StatsStep,
  OutcomeCounts,
  Site,
  SiteStep,
  SitePin,
  System,
  SystemBrowser,
  SystemBrowserKind,
  ProxiesState,
  ProxyChoices,
  ApiKey,
  ApiKeyList,
  CreatedApiKey,
  KeyCreate,
  KeyPatch,
  KeyRotate,
  User,
  UserList,
  UserCreate,
  UserPatch,
  UserLink,
  session.SignIn,
  session.Session,
  session.SessionEntry,
  session.SessionList,
  session.PasswordChange,
  session.SetUpLinkCheck,
  session.SetUpLink,
  session.SetUp,
  ScraperList,
  ErrorsTable,
  Health,
];

/** What validation chooses by a table or by recursion, in words of JSON Schema. */
function chosen(): Readonly<Record<string, unknown>> {
  const actions = [...ACTIONS].map(([type, kind]) => [type, String((kind.schema as Titled).title)] as const);
  return {
    PageAction: {
      description:
        'An action in the page. The shorthand `{"click": "#a"}` and `action` instead of `type` are accepted too.',
      examples: ACTION_EXAMPLES,
      oneOf: actions.map(([, title]) => reference(title)),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(actions.map(([type, title]) => [type, reference(title).$ref])),
      },
    },
    ExtractRule: {
      description:
        '`"css"` for the text, `"css@attribute"` for an attribute, or an object. In a nested rule, `"@attribute"` reads the outer element itself.',
      anyOf: [Type.String({ minLength: 1 }), reference('ExtractRuleObject')],
    },
    ExtractRules: { type: 'object', additionalProperties: reference('ExtractRule') },
  };
}

interface Titled {
  readonly title?: unknown;
}

export const reference = (title: string) => ({ $ref: `#/components/schemas/${title}` });

const CHOSEN_TITLES = new Set(['PageAction', 'ExtractRule', 'ExtractRules']);
const titles = new Set([...NAMED.map((schema) => String((schema as Titled).title)), ...CHOSEN_TITLES]);

/** A copy in which every schema that has a name is a reference to its component. */
export function componentized(
  schema: unknown,
  refer: (title: string) => unknown = reference,
  top = true,
): unknown {
  if (Array.isArray(schema)) return schema.map((one) => componentized(one, refer, false));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { title } = schema as Titled;
  if (!top && typeof title === 'string' && titles.has(title)) return refer(title);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => name !== 'title' || typeof title !== 'string')
      .map(([name, value]) => [name, componentized(value, refer, false)]),
  );
}

/** `components.schemas` of the document. */
export function componentSchemas(): Readonly<Record<string, unknown>> {
  const named = NAMED.map((schema) => [String((schema as Titled).title), componentized(schema)] as const);
  const rest = Object.entries(chosen()).map(([name, schema]) => [name, componentized(schema)] as const);
  return Object.fromEntries([...named, ...rest]);
}
