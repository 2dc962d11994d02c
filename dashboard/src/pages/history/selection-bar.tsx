import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import { useCreateBatch } from '../../api/jobs.ts';
import { scrapeRequestQuery } from '../../api/scrapes.ts';
import { BASE_PATH } from '../../app/page-config.ts';
import { stringifySearch } from '../../app/urls.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { IconChevronDown, IconPlay } from '../../ui/icons.tsx';
import { notifyError, notifySuccess } from '../../ui/notice.tsx';
import { ButtonLink } from '../../ui/text.tsx';
import { type JsonObject, maskedPointers } from '../playground/model/json.ts';
import classes from './history.module.css';

const historyRoute = getRouteApi('/signed-in/history');

interface SelectionBarProps {
  /** Ids, newest first. */
  readonly ids: readonly string[];
  readonly onClear: () => void;
}

/** What can be done with the selected records. */
export function SelectionBar({ ids, onClear }: SelectionBarProps) {
  const rerun = useRunAgain();
  const listSearch = historyRoute.useSearch();
  if (ids.length === 0) return null;
  const href = (format: string) =>
    `${BASE_PATH}/api/v1/scrape/export/${stringifySearch({ format, ids: ids.join(',') })}`;
  return (
    <section className={classes.selection} aria-label={t`Selected scrapes`}>
      <b>
        <Trans>{ids.length} selected</Trans>
      </b>
      <ChangersOnly>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlay size={14} />}
          loading={rerun.isPending}
          onClick={() => rerun.mutate(ids)}
        >
          <Trans>Run again</Trans>
        </Button>
      </ChangersOnly>
      <ExportMenu
        label={t`Export selected`}
        size="compact-sm"
        position="bottom-start"
        iconSize={14}
        rightSection={<IconChevronDown size={12} />}
        files={() => [
          [t`CSV, for spreadsheets`, href('csv')],
          [t`JSON Lines, for programs`, href('jsonl')],
        ]}
      />
      {ids.length === 2 ? (
        <ButtonLink
          to="/history/compare"
          search={{ before: ids[1], after: ids[0] }}
          state={{ listSearch }}
          size="compact-sm"
          variant="default"
        >
          <Trans>Compare</Trans>
        </ButtonLink>
      ) : (
        <span className={classes.hint}>
          <Trans>Select two to compare them.</Trans>
        </span>
      )}
      {rerun.data === null && (
        <span role="alert">
          <Trans>These cannot be run again: their requests were not stored, or have masked secrets.</Trans>
        </span>
      )}
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        <Trans>Clear the selection</Trans>
      </Button>
    </section>
  );
}

/** Sends the requests of records again, as a batch, and opens its page. */
function useRunAgain() {
  const queries = useQueryClient();
  const create = useCreateBatch();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const stored = await Promise.all(
        ids.map((id) =>
          queries.fetchQuery(scrapeRequestQuery(id)).catch((error: unknown) => {
            // The request was not stored.
            if (error instanceof ApiError && error.status === 404) return null;
            throw error;
          }),
        ),
      );
      const requests = stored.filter(
        (request): request is JsonObject =>
          request !== null && maskedPointers(request as JsonObject).length === 0,
      );
      if (requests.length === 0) return null;
      const batch = { name: t`Run again`, requests, defaults: {}, invalid: 'refuse' as const };
      return { job: await create.mutateAsync(batch), left: ids.length - requests.length };
    },
    onSuccess: (result) => {
      if (result === null) return;
      if (result.left > 0)
        notifySuccess(
          t`Left out, because their requests were not stored or have masked secrets: ${result.left}.`,
        );
      void navigate({ to: '/jobs/$id', params: { id: result.job.id } });
    },
    onError: notifyError,
  });
}
