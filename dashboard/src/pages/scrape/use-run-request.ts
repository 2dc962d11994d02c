import { t } from '@lingui/core/macro';
import { useNavigate } from '@tanstack/react-router';
import { useRunScrape } from '../../api/playground.ts';
import { notifyError, notifySuccess } from '../../ui/notice.tsx';
import { useListOfRecord } from '../history/list-state.ts';
import type { JsonObject } from '../playground/model/json.ts';

/** Sends a request, and shows its record. */
export function useRunRequest(): {
  readonly run: (request: JsonObject) => void;
  readonly isPending: boolean;
} {
  const { mutate, isPending } = useRunScrape();
  const navigate = useNavigate();
  const { state } = useListOfRecord();
  const run = (request: JsonObject) =>
    mutate(
      { text: JSON.stringify(request), signal: new AbortController().signal },
      {
        onSuccess: ({ scrape, error }) => {
          const id = scrape?.id ?? null;
          if (id === null) return notifyError(error);
          notifySuccess(t`This is the record of the new run.`);
          void navigate({ to: '/history/$id', params: { id }, state });
        },
        onError: notifyError,
      },
    );
  return { run, isPending };
}
