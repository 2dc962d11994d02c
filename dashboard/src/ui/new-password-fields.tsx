import { t } from '@lingui/core/macro';
import { PasswordInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import classes from './new-password-fields.module.css';
import { MIN_LENGTH, strengthOf } from './password-strength.ts';

export interface NewPassword {
  readonly password: string;
  readonly repeated: string;
}

/** The option `validate` of a form whose values are a `NewPassword`. */
export const newPasswordRules = {
  password: (password: string) =>
    [...password].length < MIN_LENGTH ? t`Use at least ${MIN_LENGTH} characters.` : null,
  repeated: (repeated: string, { password }: NewPassword) =>
    repeated === password ? null : t`The passwords do not match.`,
};

interface NewPasswordFieldsProps {
  readonly form: UseFormReturnType<NewPassword>;
  readonly email: string;
}

/** Two fields for a new password, with a hint about its strength. */
export function NewPasswordFields({ form, email }: NewPasswordFieldsProps) {
  const { password } = form.values;
  const { level, description } = strengthOf(password, email);
  return (
    <>
      <div>
        <PasswordInput
          label={t`New password`}
          description={t`At least ${MIN_LENGTH} characters; a few random words are strong and easy to remember.`}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t`Show the password` }}
          {...form.getInputProps('password')}
        />
        <div className={classes.strength} data-level={level} aria-hidden="true">
          <span />
          <span />
          <span />
          <span />
        </div>
        <p className={classes.description} role="status">
          {password === '' ? '' : description}
        </p>
      </div>
      <PasswordInput
        label={t`Confirm password`}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t`Show the repeated password` }}
        {...form.getInputProps('repeated')}
      />
    </>
  );
}
