import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useDeleteScrape, useDropCachedScrape } from '../../api/scrapes.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { IconTrash } from '../../ui/icons.tsx';
import { notifySuccess } from '../../ui/notice.tsx';

export function DeleteScrape({ id }: { readonly id: string }) {
  const [opened, dialog] = useDisclosure(false);
  const deletion = useDeleteScrape(id);
  const forget = useDropCachedScrape(id);
  const navigate = useNavigate();
  const confirm = () =>
    deletion.mutate(undefined, {
      onSuccess: () => {
        notifySuccess('The scrape was deleted.');
        void navigate({ to: '/history' }).then(forget);
      },
    });
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={15} />} onClick={dialog.open}>
        Delete
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={dialog.close}
        title="Delete this scrape?"
        confirmLabel="Delete the scrape"
        danger
        onConfirm={confirm}
        busy={deletion.isPending}
        error={deletion.error}
      >
        The record, its request and its content are deleted. This cannot be undone; counters and charts keep
        it.
      </ConfirmDialog>
    </>
  );
}
