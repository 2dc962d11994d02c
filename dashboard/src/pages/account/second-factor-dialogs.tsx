import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { encode } from 'uqr';
import { fieldErrors, formError, type Schema } from '../../api/client.ts';
import {
  useConfirmSecondFactor,
  useDisableSecondFactor,
  useEnrolSecondFactor,
} from '../../api/second-factor.ts';
import { OneTimeSecret } from '../../ui/code-block.tsx';
import type { DialogState } from '../../ui/dialog.tsx';
import { useFieldErrors } from '../../ui/field-errors.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import classes from './account.module.css';

interface DialogsProps {
  readonly dialog: DialogState<'enable' | 'disable'>;
  readonly kind: 'enable' | 'disable';
}

export function SecondFactorDialogs({ dialog, kind }: DialogsProps) {
  return (
    <Modal
      opened={dialog.opened}
      onClose={dialog.close}
      closeOnClickOutside={false}
      size={460}
      title={kind === 'enable' ? t`Turn on the second factor` : t`Turn off the second factor`}
    >
      {kind === 'enable' ? <Enable onDone={dialog.close} /> : <Disable onDone={dialog.close} />}
    </Modal>
  );
}

interface StepProps {
  readonly onDone: () => void;
}

const PASSWORD_RULE = isNotEmpty(t`Enter your password.`);
const CODE_RULE = isNotEmpty(t`Enter the code that the app shows.`);

/** Password, then QR code, then recovery codes. */
function Enable({ onDone }: StepProps) {
  const enrol = useEnrolSecondFactor();
  const confirm = useConfirmSecondFactor();
  const form = useForm({ initialValues: { password: '' }, validate: { password: PASSWORD_RULE } });
  const errors = useFieldErrors(form);
  if (confirm.data !== undefined)
    return <RecoveryCodes codes={confirm.data.recovery_codes} onDone={onDone} />;
  if (enrol.data !== undefined) return <Confirm enrolment={enrol.data} confirm={confirm} onCancel={onDone} />;
  const submit = form.onSubmit(
    (values) => enrol.mutate(values, { onError: (error) => errors.show(fieldErrors(error, ['password'])) }),
    errors.focusFirst,
  );
  return (
    <form ref={errors.ref} onSubmit={submit} noValidate>
      <Stack px="xs" pb="xs">
        <ErrorNotice error={formError(enrol.error, ['password'])} />
        <OwnPassword {...form.getInputProps('password')} />
        <Buttons label={t`Continue`} busy={enrol.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}

interface ConfirmProps {
  readonly enrolment: Schema<'SecondFactorEnrolment'>;
  readonly confirm: ReturnType<typeof useConfirmSecondFactor>;
  readonly onCancel: () => void;
}

function Confirm({ enrolment: { uri, secret }, confirm, onCancel }: ConfirmProps) {
  const form = useForm({ initialValues: { code: '' }, validate: { code: CODE_RULE } });
  const errors = useFieldErrors(form);
  const submit = form.onSubmit(
    (values) => confirm.mutate(values, { onError: (error) => errors.show(fieldErrors(error, ['code'])) }),
    errors.focusFirst,
  );
  return (
    <form ref={errors.ref} onSubmit={submit} noValidate>
      <Stack px="xs" pb="xs">
        <Text c="var(--sl-text-soft)">
          <Trans>
            Scan the QR code with an authenticator app, or type the key into it. Then enter the code that the
            app shows.
          </Trans>
        </Text>
        <QrCode text={uri} />
        <code className={classes.totpSecret}>{secret.replace(/.{4}(?=.)/g, '$& ')}</code>
        <ErrorNotice error={formError(confirm.error, ['code'])} />
        <CodeInput label={t({ message: 'Code', context: 'authenticator' })} {...form.getInputProps('code')} />
        <Buttons label={t`Turn on`} busy={confirm.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

interface RecoveryCodesProps extends StepProps {
  readonly codes: readonly string[];
}

function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  return (
    <Stack px="xs" pb="xs" role="status">
      <OneTimeSecret label={t`recovery codes`} secret={codes.join('\n')}>
        <Trans>
          The second factor is on. Keep these codes in a safe place: each signs you in once if you lose your
          device.
        </Trans>
      </OneTimeSecret>
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          <Trans>Done</Trans>
        </Button>
      </Group>
    </Stack>
  );
}

const DISABLE_FIELDS = ['password', 'code'];

function Disable({ onDone }: StepProps) {
  const disable = useDisableSecondFactor();
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: { password: PASSWORD_RULE, code: CODE_RULE },
  });
  const errors = useFieldErrors(form);
  const submit = form.onSubmit(
    (values) =>
      disable.mutate(values, {
        onSuccess: () => {
          notifySuccess(t`The second factor is off.`);
          onDone();
        },
        onError: (error) => errors.show(fieldErrors(error, DISABLE_FIELDS)),
      }),
    errors.focusFirst,
  );
  return (
    <form ref={errors.ref} onSubmit={submit} noValidate>
      <Stack px="xs" pb="xs">
        <ErrorNotice error={formError(disable.error, DISABLE_FIELDS)} />
        <OwnPassword {...form.getInputProps('password')} />
        <CodeInput label={t`Code of the app, or a recovery code`} {...form.getInputProps('code')} />
        <Buttons label={t`Turn off`} busy={disable.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}

interface ButtonsProps {
  readonly label: string;
  readonly busy: boolean;
  readonly onCancel: () => void;
}

function Buttons({ label, busy, onCancel }: ButtonsProps) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onCancel}>
        <Trans>Cancel</Trans>
      </Button>
      <Button type="submit" loading={busy}>
        {label}
      </Button>
    </Group>
  );
}

function OwnPassword(props: object) {
  return (
    <PasswordInput
      label={t`Your password`}
      autoComplete="current-password"
      visibilityToggleButtonProps={{ 'aria-label': t`Show the password` }}
      data-autofocus
      {...props}
    />
  );
}

function CodeInput({ label, ...props }: { readonly label: string }) {
  return <TextInput label={label} autoComplete="one-time-code" inputMode="text" {...props} />;
}

/** Dark on light in both colour schemes, because many scanners need it. */
function QrCode({ text }: { readonly text: string }) {
  const { size, data } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      className={classes.qrCode}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t`QR code of the key`}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
