import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { encode } from 'uqr';
import type { Schema } from '../../api/client.ts';
import {
  useConfirmSecondFactor,
  useDisableSecondFactor,
  useEnrolSecondFactor,
} from '../../api/second-factor.ts';
import { ApiForm } from '../../ui/api-form.tsx';
import { OneTimeSecret } from '../../ui/code-block.tsx';
import type { DialogState } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/notice.tsx';
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
  if (confirm.data !== undefined)
    return <RecoveryCodes codes={confirm.data.recovery_codes} onDone={onDone} />;
  if (enrol.data !== undefined) return <Confirm enrolment={enrol.data} confirm={confirm} onCancel={onDone} />;
  return (
    <ApiForm
      form={form}
      action={enrol}
      bodyOf={(values) => values}
      members={['password']}
      submitLabel={t`Continue`}
      onCancel={onDone}
    >
      <OwnPassword {...form.getInputProps('password')} />
    </ApiForm>
  );
}

interface ConfirmProps {
  readonly enrolment: Schema<'SecondFactorEnrolment'>;
  readonly confirm: ReturnType<typeof useConfirmSecondFactor>;
  readonly onCancel: () => void;
}

function Confirm({ enrolment: { uri, secret }, confirm, onCancel }: ConfirmProps) {
  const form = useForm({ initialValues: { code: '' }, validate: { code: CODE_RULE } });
  return (
    <ApiForm
      form={form}
      action={confirm}
      bodyOf={(values) => values}
      members={['code']}
      intro={
        <>
          <Text c="var(--sl-text-soft)">
            <Trans>
              Scan the QR code with an authenticator app, or type the key into it. Then enter the code that
              the app shows.
            </Trans>
          </Text>
          <QrCode text={uri} />
          <code className={classes.totpSecret}>{secret.replace(/.{4}(?=.)/g, '$& ')}</code>
        </>
      }
      submitLabel={t`Turn on`}
      onCancel={onCancel}
    >
      <CodeInput label={t({ message: 'Code', context: 'authenticator' })} {...form.getInputProps('code')} />
    </ApiForm>
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

function Disable({ onDone }: StepProps) {
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: { password: PASSWORD_RULE, code: CODE_RULE },
  });
  return (
    <ApiForm
      form={form}
      action={useDisableSecondFactor()}
      bodyOf={(values) => values}
      members={['password', 'code']}
      onSuccess={() => {
        notifySuccess(t`The second factor is off.`);
        onDone();
      }}
      submitLabel={t`Turn off`}
      onCancel={onDone}
    >
      <OwnPassword {...form.getInputProps('password')} />
      <CodeInput label={t`Code of the app, or a recovery code`} {...form.getInputProps('code')} />
    </ApiForm>
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

/** Not `inputMode="numeric"`, because recovery codes have letters. */
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
