import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { fieldErrors, formError } from '../../api/client.ts';
import { type ApiKey, useRotateKey } from '../../api/keys.ts';
import type { DialogState } from '../../ui/dialog.tsx';
import { formatLocal } from '../../ui/format.ts';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { KeyDrawer } from './key-drawer.tsx';
import { KeyShown } from './key-shown.tsx';

interface RotateKeyProps {
  readonly dialog: DialogState<ApiKey>;
  readonly apiKey: ApiKey;
}

const FIELDS = ['overlap_hours'];

/** A new key in place of an old one: asks for how long both work, then shows the new one. */
export function RotateKey({ dialog, apiKey }: RotateKeyProps) {
  const rotate = useRotateKey(apiKey.id);
  const form = useForm<{ overlap_hours: number | string }>({
    initialValues: { overlap_hours: 24 },
    validate: {
      overlap_hours: (hours) => (isOverlap(hours) ? null : 'Enter a number from 0 to 24.'),
    },
  });
  const submit = form.onSubmit(({ overlap_hours }) =>
    rotate.mutate(
      { overlap_hours: Number(overlap_hours) },
      { onError: (error) => form.setErrors(fieldErrors(error, FIELDS)) },
    ),
  );
  if (rotate.data !== undefined) {
    return (
      <KeyDrawer opened={dialog.opened} onClose={dialog.close} title="The new key is ready" held>
        <KeyShown created={rotate.data} onDone={dialog.close}>
          <Text size="sm">{endOfOld(apiKey, rotate.variables.overlap_hours ?? 0, 'worked')}</Text>
        </KeyShown>
      </KeyDrawer>
    );
  }
  const hours = form.values.overlap_hours;
  return (
    <Modal
      opened={dialog.opened}
      onClose={dialog.close}
      title={`Rotate “${apiKey.name}”`}
      // Nobody would see the new key, and the old one may have stopped.
      closeOnEscape={!rotate.isPending}
      closeOnClickOutside={!rotate.isPending}
      closeButtonProps={{ 'aria-label': 'Close', disabled: rotate.isPending }}
    >
      <form onSubmit={submit} noValidate>
        <Stack px="xs" pb="xs">
          <Text c="var(--sl-text-soft)">
            You get a new key with the same settings. Both work during the overlap, so you can replace the old
            key without downtime. Choose 0 if it was leaked.
            {apiKey.expires_at !== null &&
              ` The new key expires when the old one would have: ${formatLocal(apiKey.expires_at)}.`}
          </Text>
          <ErrorNotice error={formError(rotate.error, FIELDS)} />
          <NumberInput
            label="Overlap in hours"
            min={0}
            max={24}
            clampBehavior="none"
            data-autofocus
            description={isOverlap(hours) ? endOfOld(apiKey, Number(hours), 'works') : 'From 0 to 24.'}
            {...form.getInputProps('overlap_hours')}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={dialog.close} disabled={rotate.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={rotate.isPending}>
              Rotate the key
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

const isOverlap = (hours: number | string): boolean =>
  hours !== '' && Number(hours) >= 0 && Number(hours) <= 24;

function endOfOld({ expires_at }: ApiKey, hours: number, tense: 'works' | 'worked'): string {
  if (hours === 0) return tense === 'works' ? 'The old key stops at once.' : 'The old key has stopped.';
  const end = Date.now() + hours * 3_600_000;
  const until = expires_at === null ? end : Math.min(end, Date.parse(expires_at));
  return `The old key works until ${formatLocal(new Date(until).toISOString())}.`;
}
