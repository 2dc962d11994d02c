import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  ActionIcon,
  Button,
  Group,
  Modal,
  Skeleton,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { fieldErrors, formError } from '../../api/client.ts';
import {
  type SavedRequest,
  savedRequestsQuery,
  useDeleteSavedRequest,
  useSaveRequest,
} from '../../api/saved-requests.ts';
import { type DialogState, useDialog } from '../../ui/dialog.tsx';
import { useFieldErrors } from '../../ui/field-errors.ts';
import { IconBookmark, IconTrash } from '../../ui/icons.tsx';
import { notifySuccess } from '../../ui/notice.tsx';
import { ErrorNotice, ErrorState } from '../../ui/page-state.tsx';
import { useFocusNextRow } from '../../ui/row-menu.tsx';
import type { JsonObject } from './model/json.ts';
import classes from './playground.module.css';

interface SavedRequestsProps {
  /** The request in the form; null: its JSON has an error. */
  readonly request: JsonObject | null;
  readonly onLoad: (request: JsonObject) => void;
}

/** Button of a dialog in which requests are saved under a name, loaded and deleted. */
export function SavedRequests(props: SavedRequestsProps) {
  const dialog = useDialog<true>();
  return (
    <>
      <Button
        variant="default"
        className={classes.menuButton}
        aria-label={t`Saved requests`}
        leftSection={<IconBookmark size={16} />}
        onClick={() => dialog.open(true)}
      >
        <Trans>Saved</Trans>
      </Button>
      {dialog.subject !== null && <SavedRequestsDialog key={dialog.openCount} dialog={dialog} {...props} />}
    </>
  );
}

interface SavedRequestsDialogProps extends SavedRequestsProps {
  readonly dialog: DialogState<true>;
}

function SavedRequestsDialog({ dialog, request, onLoad }: SavedRequestsDialogProps) {
  const { data, error, refetch } = useQuery({ ...savedRequestsQuery, enabled: dialog.opened });
  const load = ({ request }: SavedRequest) => {
    onLoad(request as JsonObject);
    dialog.close();
  };
  return (
    <Modal opened={dialog.opened} onClose={dialog.close} title={t`Saved requests`} size="lg">
      <Stack px="xs" pb="xs">
        <SaveForm request={request} />
        {data !== undefined ? (
          data.items.length === 0 ? (
            <Text c="dimmed">
              <Trans>No saved requests yet.</Trans>
            </Text>
          ) : (
            <ul className="plain">
              {data.items.map((saved) => (
                <SavedRequestItem key={saved.id} saved={saved} onLoad={() => load(saved)} />
              ))}
            </ul>
          )
        ) : error !== null ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton height={40} role="status" aria-label={t`Loading`} />
        )}
      </Stack>
    </Modal>
  );
}

const FIELDS = ['name'];

function SaveForm({ request }: Pick<SavedRequestsProps, 'request'>) {
  const save = useSaveRequest();
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() === '' ? t`Enter a name.` : null) },
  });
  const errors = useFieldErrors(form);
  const submit = form.onSubmit(
    ({ name }) =>
      save.mutate(
        { name: name.trim(), request: request! },
        {
          onSuccess: (saved) => {
            notifySuccess(t`“${saved.name}” is saved.`);
            form.reset();
          },
          onError: (error) => errors.show(fieldErrors(error, FIELDS)),
        },
      ),
    errors.focusFirst,
  );
  return (
    <form ref={errors.ref} onSubmit={submit} noValidate>
      <Stack gap="xs">
        <ErrorNotice error={formError(save.error, FIELDS)} />
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            className={classes.savedName}
            label={t`Save this request as`}
            maxLength={64}
            autoComplete="off"
            data-autofocus
            disabled={request === null}
            {...form.getInputProps('name')}
          />
          <Button type="submit" loading={save.isPending} disabled={request === null}>
            <Trans>Save</Trans>
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          {request === null
            ? t`The JSON of the request has an error. Correct it to save the request.`
            : t`A request of the same name is replaced. Secrets are masked: fill them in again when you load it.`}
        </Text>
      </Stack>
    </form>
  );
}

interface SavedRequestItemProps {
  readonly saved: SavedRequest;
  readonly onLoad: () => void;
}

function SavedRequestItem({ saved: { id, name, request }, onLoad }: SavedRequestItemProps) {
  const remove = useDeleteSavedRequest();
  const button = useRef<HTMLButtonElement>(null);
  useFocusNextRow(button);
  const { url } = request as { readonly url?: string };
  return (
    <li className={classes.savedItem}>
      <UnstyledButton className={classes.savedLoad} onClick={onLoad}>
        <span className={classes.recent}>{name}</span>
        <small className={classes.recent}>{url}</small>
      </UnstyledButton>
      <ActionIcon
        ref={button}
        aria-label={t`Delete “${name}”`}
        c="var(--sl-text-soft)"
        loading={remove.isPending}
        onClick={() => remove.mutate(id, { onSuccess: () => notifySuccess(t`“${name}” is deleted.`) })}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </li>
  );
}
