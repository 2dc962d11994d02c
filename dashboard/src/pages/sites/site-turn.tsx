import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { Outcome } from '../../api/client.ts';
import type { ScrapeSummary } from '../../api/scrapes.ts';
import { siteTurnQuery } from '../../api/site-turn.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { OutcomeBadge } from '../../ui/outcome.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { TextLink } from '../../ui/text.tsx';
import classes from './history-panel.module.css';

interface SiteTurnProps {
  /** Without a port. */
  readonly hostname: string;
  /** Start of the first bad day, RFC 3339. */
  readonly from: string;
  /** Whether any scrape was OK before. */
  readonly hadOk: boolean;
  /** The outcomes that count as failures. */
  readonly failures: readonly Outcome[];
}

/** When a failing site was OK last and began to fail, by the records that are still stored. */
export function SiteTurn({ hostname, from, hadOk, failures }: SiteTurnProps) {
  const { data, error } = useQuery(siteTurnQuery(hostname, from, failures));
  if (data === undefined)
    return <ErrorNotice error={error} title={t`The records of the failures cannot be shown`} />;
  const { okBefore, firstFailure, latestFailure, compared } = data;
  if (firstFailure === null || latestFailure === null)
    return (
      <p className={classes.note}>
        <Trans>
          No record of these failures is stored any more. Only the counters are left, which are kept longer.
        </Trans>
      </p>
    );
  return (
    <>
      <dl className={classes.turn}>
        <Row
          name={t`Last OK response before the failures`}
          record={okBefore}
          missing={
            hadOk
              ? t`No OK response from before the failures is stored any more.`
              : t`None: no earlier scrape was OK.`
          }
        />
        <Row name={t`First stored failure`} record={firstFailure} />
        {latestFailure.id !== firstFailure.id && <Row name={t`Latest failure`} record={latestFailure} />}
      </dl>
      {compared !== null && (
        <TextLink
          to="/history/compare"
          search={{ before: compared.before.id, after: compared.after.id }}
          size="sm"
          underline="always"
        >
          {compared.after.id === latestFailure.id ? (
            <Trans>Compare the last OK response with the latest failure</Trans>
          ) : (
            <Trans>Compare an OK response with a later failure of the same page</Trans>
          )}
        </TextLink>
      )}
    </>
  );
}

interface RowProps {
  readonly name: string;
  /** null: none is stored. */
  readonly record: ScrapeSummary | null;
  readonly missing?: string;
}

function Row({ name, record, missing }: RowProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {record === null ? (
          missing
        ) : (
          <>
            <TextLink to="/history/$id" params={{ id: record.id }} size="sm">
              <DateTime at={record.created_at} />
            </TextLink>{' '}
            {record.outcome !== 'ok' && <OutcomeBadge outcome={record.outcome} />}
          </>
        )}
      </dd>
    </div>
  );
}
