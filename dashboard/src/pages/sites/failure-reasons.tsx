import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { errorsTableQuery, type ScrapeSummary } from '../../api/scrapes.ts';
import { siteRecordsQuery } from '../../api/sites.ts';
import { formatCount } from '../../ui/format.ts';
import { OUTCOMES } from '../../ui/outcome.tsx';
import { MarkedText, TextLink } from '../../ui/text.tsx';
import classes from './history-panel.module.css';

interface Reason {
  readonly outcome: ScrapeSummary['outcome'];
  /** null: a verdict without an error, such as an error status of the site. */
  readonly code: string | null;
  /** Status of the response; null: there was none, or the code says it all. */
  readonly status: number | null;
  readonly count: number;
}

/** Reasons that are shown: the most frequent. */
const MAX_REASONS = 5;

/** What went wrong with records, the most frequent first. */
function reasonsOf(records: readonly ScrapeSummary[]): readonly Reason[] {
  const reasons = new Map<string, Reason>();
  for (const { outcome, error_code: code, http_status } of records) {
    if (outcome === 'ok') continue;
    const status = code === null ? http_status : null;
    const key = `${outcome} ${code} ${status}`;
    reasons.set(key, { outcome, code, status, count: (reasons.get(key)?.count ?? 0) + 1 });
  }
  return [...reasons.values()].sort((a, b) => b.count - a.count).slice(0, MAX_REASONS);
}

const isError = (status: number): boolean => status >= 400;

/** Why the last scrapes of a site were not OK, each reason with its records. Renders nothing if all were. */
export function FailureReasons({ host }: { readonly host: string }) {
  const { data: records = [] } = useQuery(siteRecordsQuery(host));
  const reasons = reasonsOf(records);
  const { data: table } = useQuery({ ...errorsTableQuery, enabled: reasons.length > 0 });
  if (reasons.length === 0) return null;
  const failed = records.filter(({ outcome }) => outcome !== 'ok').length;
  const total = formatCount(records.length);
  return (
    <>
      <h3 className={classes.heading}>
        {records.length === 1
          ? t`Why the last scrape was not OK`
          : plural(failed, {
              one: `Why # of the last ${total} scrapes was not OK`,
              other: `Why # of the last ${total} scrapes were not OK`,
            })}
      </h3>
      <ol className={classes.changes}>
        {reasons.map(({ outcome, code, status, count }) => (
          <li key={`${outcome} ${code} ${status}`} data-changed>
            <span>
              <TextLink
                size="sm"
                to="/history"
                search={{
                  host,
                  outcome,
                  ...(code !== null && { error_code: code }),
                  ...(status !== null && { status }),
                }}
              >
                {code ?? (status !== null && isError(status) ? `HTTP ${status}` : OUTCOMES[outcome].label)}
              </TextLink>
              <br />
              <small>
                <Trans>
                  {formatCount(count)} of {formatCount(records.length)}
                </Trans>
              </small>
            </span>
            <span>
              <MarkedText
                text={
                  table?.errors.find((entry) => entry.code === code)?.title ??
                  (outcome === 'target_error' && status !== null && !isError(status)
                    ? t`The site returned an error page, although its status is ${status}.`
                    : OUTCOMES[outcome].meaning)
                }
              />
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
