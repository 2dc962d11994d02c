import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import {
  ApiKey,
  ApiKeyCreate,
  ApiKeyList,
  ApiKeyPatch,
  ApiKeyRotate,
  CreatedApiKey,
  User,
  UserCreate,
  UserLink,
  UserList,
  UserPatch,
} from '../accounts.ts';
import * as answer from '../answer/answer-schema.ts';
import * as data from '../answer/answer-schema.ts';
import { ProxiesSchema, ProxyChoices } from '../proxies.ts';
import { ScrapeList, ScrapeSummary } from '../record/record-list.ts';
import { ExtractRuleObject } from '../request/extract-rules.ts';
import { ACTIONS } from '../request/page-action-schema.ts';
import { ProxySettings } from '../request/proxy-options.ts';
import { RouterSettings } from '../request/router-options.ts';
import { ScrapeRequest, ScraperOptionsField } from '../request/scrape-request-schema.ts';
import * as session from '../sessions.ts';
import { Site, SitePin, SiteStep } from '../sites.ts';
import { OutcomeCounts, Stats, StatsStep } from '../stats.ts';
import { System, SystemBrowser, SystemBrowserKind } from '../system.ts';
import { ACTION_EXAMPLES } from './examples.ts';
import { ErrorsTable, Health, ScraperList } from './service-schema.ts';

/** Named by their titles; a schema with such a title is written as a reference wherever it is used. */
const NAMED: readonly TSchema[] = [
  ScrapeRequest,
  ScraperOptionsField,
  ProxySettings,
  RouterSettings,
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
  answer.CandidateSchema,
  answer.AttemptSchema,
  data.ScraperData,
  data.PageLinkSchema,
  data.PageMetadataSchema,
  data.ActionResultSchema,
  data.CapturedExchangeSchema,
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
  ProxiesSchema,
  ProxyChoices,
  ApiKey,
  ApiKeyList,
  CreatedApiKey,
  ApiKeyCreate,
  ApiKeyPatch,
  ApiKeyRotate,
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
