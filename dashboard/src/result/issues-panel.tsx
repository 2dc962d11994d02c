import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { errorsTableQuery } from '../api/scrapes.ts';
import { IconAlert, IconInfo } from '../ui/icons.tsx';
import { Panel } from '../ui/panel.tsx';
import { MarkedText } from '../ui/text.tsx';
import classes from './issues-panel.module.css';
import type { ScrapeIssue } from './scrape.ts';

interface IssuesPanelProps {
  readonly title: string;
  readonly issues: readonly ScrapeIssue[];
  /** A message that is already shown above. */
  readonly alreadyShown?: string | undefined;
}

/** Errors or warnings with help texts. Renders nothing if there are none. */
export function IssuesPanel({ title, issues, alreadyShown }: IssuesPanelProps) {
  const { data } = useQuery({ ...errorsTableQuery, enabled: issues.length > 0 });
  if (issues.length === 0) return null;
  // The messages have values in them, and are English.
  const titleOf = (code: string) =>
    i18n.locale === 'en' ? undefined : data?.errors.find((entry) => entry.code === code)?.title;
  const helpOf = (code: string) =>
    data?.errors.find((entry) => entry.code === code)?.help ??
    data?.warnings.find((entry) => entry.code === code)?.help;
  return (
    <Panel title={title}>
      <ul className={classes.list}>
        {merged(issues).map(({ issue, attempts, delivered }, index) => (
          <IssueItem
            // biome-ignore lint/suspicious/noArrayIndexKey: there is no other key
            key={index}
            issue={issue}
            attempts={attempts}
            delivered={delivered}
            title={titleOf(issue.code)}
            help={helpOf(issue.code)}
            alreadyShown={issue.message === alreadyShown}
          />
        ))}
      </ul>
    </Panel>
  );
}

interface MergedIssue {
  readonly issue: ScrapeIssue;
  /** The attempts that it concerns. */
  readonly attempts: readonly number[];
  /** It concerns the attempt that delivered the page, which has no number here. */
  readonly delivered: boolean;
}

/** The same issue of several attempts is shown once. One without a number is of the attempt that delivered the page. */
function merged(issues: readonly ScrapeIssue[]): readonly MergedIssue[] {
  const found = new Map<string, { issue: ScrapeIssue; attempts: number[]; delivered: boolean }>();
  for (const issue of issues) {
    const { attempt, ...rest } = issue;
    // The scraper is that of the attempt.
    const key = JSON.stringify({ ...rest, scraper: undefined });
    const one = found.get(key) ?? { issue, attempts: [], delivered: false };
    found.set(key, one);
    if (attempt === undefined) one.delivered = true;
    else if (!one.attempts.includes(attempt)) one.attempts.push(attempt);
  }
  return [...found.values()];
}

interface IssueItemProps extends MergedIssue {
  /** What the code means, in another language than the message. */
  readonly title: string | undefined;
  readonly help: string | undefined;
  readonly alreadyShown: boolean;
}

function IssueItem({ issue, attempts, delivered, title, help, alreadyShown }: IssueItemProps) {
  const { level, code, message, pointer, retryable, details } = issue;
  const LevelIcon = level === 'error' ? IconAlert : IconInfo;
  const notes = [
    attempts.length === 0 ? null : attemptsNote(attempts, delivered),
    pointer === undefined ? null : t`at ${pointer}`,
    retryable ? t`retrying may succeed` : null,
  ].filter((note) => note !== null);
  return (
    <li data-level={level}>
      <LevelIcon size={18} className={classes.icon} />
      <div className={classes.body}>
        {title !== undefined && (
          <p className={classes.message}>
            <MarkedText text={title} />
          </p>
        )}
        {!alreadyShown && (
          <p className={classes.message}>
            <MarkedText text={message} />
          </p>
        )}
        {help !== undefined && help !== message && (
          <p className={classes.help}>
            {level === 'error' && (
              <b>
                <Trans>What to do:</Trans>{' '}
              </b>
            )}
            <MarkedText text={help} />
          </p>
        )}
        {details !== undefined && <IssueDetails details={details} />}
        <p className={classes.notes}>
          <code className="mono">{code}</code>
          {notes.map((note) => (
            <span key={note}> · {note}</span>
          ))}
        </p>
      </div>
    </li>
  );
}

function attemptsNote(attempts: readonly number[], delivered: boolean): string {
  if (delivered) return plural(attempts.length + 1, { one: 'in # attempt', other: 'in # attempts' });
  const list = attempts.join(', ');
  return plural(attempts.length, { one: `in attempt ${list}`, other: `in the attempts ${list}` });
}

type Details = Readonly<Record<string, unknown>>;

/** Further details of an issue, by member: `hosts: ads.example, 3 times`. */
function IssueDetails({ details }: { readonly details: Details }) {
  // The message already says this, in words.
  const inMessage = new Set(['verdict', 'failed', 'wall', 'reason', 'unmet', 'index', 'type', 'openssl']);
  const members = Object.entries(details).filter(
    ([name, value]) => value !== null && value !== undefined && !inMessage.has(name),
  );
  if (members.length === 0) return null;
  return (
    <dl className={classes.details}>
      {members.map(([name, value]) => (
        <div key={name}>
          <dt>{name.replaceAll('_', ' ')}</dt>
          <dd dir="ltr">
            {Array.isArray(value) ? (
              <ul>
                {value.map((item, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other key
                  <li key={index}>{textOf(item)}</li>
                ))}
              </ul>
            ) : (
              textOf(value)
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** `{host, count}` becomes `host, 3 times`. For all other objects, each member with its name. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  const { host, count, ...rest } = value as Details;
  const texts: string[] = host === undefined ? [] : [String(host)];
  if (typeof count === 'number') texts.push(plural(count, { one: 'once', other: '# times' }));
  return [...texts, ...Object.entries(rest).map(([name, member]) => `${name} ${textOf(member)}`)].join(', ');
}

/** The title of the errors. Those of a page that was delivered without an error are of other attempts. */
export const errorsTitle = (errors: readonly ScrapeIssue[]): string =>
  errors.every(({ attempt }) => attempt !== undefined)
    ? t`What went wrong in other attempts`
    : t`What went wrong`;
