import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useRunScrape } from '../../api/playground.ts';
import { IconPlay } from '../../ui/icons.tsx';
import { notifyError, notifySuccess } from '../../ui/notice.tsx';
import { type JsonObject, maskedPointers } from '../playground/model/json.ts';

interface RunAgainProps {
  readonly id: string;
  readonly request: JsonObject;
}

/** Sends the same request at once and shows its record. Where secrets were masked, the playground asks for them. */
export function RunAgain({ id, request }: RunAgainProps) {
  const { mutate, isPending } = useRunScrape();
  const navigate = useNavigate();
  const run = () => {
    if (maskedPointers(request).length > 0) return void navigate({ to: '/playground', search: { from: id } });
    mutate(
      { text: JSON.stringify(request), signal: new AbortController().signal },
      {
        onSuccess: ({ scrape, error }) => {
          const made = scrape?.id ?? null;
          if (made === null) return notifyError(error);
          notifySuccess('This is the record of the new run.');
          void navigate({ to: '/history/$id', params: { id: made } });
        },
        onError: notifyError,
      },
    );
  };
  return (
    <Button variant="default" leftSection={<IconPlay size={15} />} loading={isPending} onClick={run}>
      Run again
    </Button>
  );
}
