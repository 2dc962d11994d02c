import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { type ApiFormOptions, useApiForm } from '../../ui/api-form.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';

interface NewPageProps<Values, Body, Result> extends ApiFormOptions<Values, Body, Result> {
  readonly title: string;
  readonly description: string;
  /** The page above this one. */
  readonly list: { readonly to: '/jobs' | '/monitors' | '/schedules'; readonly label: string };
  /** The fields. */
  readonly children: ReactNode;
  /** Below the error. */
  readonly problems?: ReactNode;
  readonly submitLabel: string;
  readonly submitIcon?: ReactNode;
}

/** A page whose form creates a job, a monitor or a schedule. */
export function NewPage<Values, Body, Result>(props: NewPageProps<Values, Body, Result>) {
  const { title, description, list, children, problems, submitLabel, submitIcon, action } = props;
  const { formProps, error } = useApiForm(props);
  return (
    <>
      <PageHeader
        title={title}
        back={<TextLink to={list.to}>{list.label}</TextLink>}
        description={description}
      />
      <form {...formProps}>
        <Stack gap="md">
          {children}
          <ErrorNotice error={error} />
          {problems}
          <Group gap="xs" justify="flex-end">
            <ButtonLink to={list.to} variant="default">
              <Trans>Back</Trans>
            </ButtonLink>
            <Button type="submit" leftSection={submitIcon} loading={action.isPending}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}
