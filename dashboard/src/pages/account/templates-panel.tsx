import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, Modal, Skeleton, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import {
  type Template,
  type TemplateRules,
  templatesQuery,
  useDeleteTemplate,
  useSaveTemplate,
} from '../../api/templates.ts';
import { ApiForm } from '../../ui/api-form.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { ConfirmDialog, type DialogState, useDialog } from '../../ui/dialog.tsx';
import { IconEdit, IconTrash } from '../../ui/icons.tsx';
import { CODE_AREA, VERBATIM } from '../../ui/input-props.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import { ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import classes from './account.module.css';

/** The user's templates of `extract`, which can be created, changed and deleted here. */
export function TemplatesPanel() {
  const templates = useQuery(templatesQuery);
  const edit = useDialog<Template | 'new'>();
  const remove = useDialog<Template>();
  const items = templates.data?.items ?? null;
  return (
    <Panel
      title={t`Templates`}
      description={
        <Trans>
          Rules for extracting data, under a name. A request uses them with{' '}
          <code className="mono">"extract": "template:name"</code>.
        </Trans>
      }
    >
      {items !== null ? (
        <>
          {items.length > 0 && (
            <ul className="plain">
              {items.map((template) => (
                <TemplateItem
                  key={template.name}
                  template={template}
                  onEdit={() => edit.open(template)}
                  onDelete={() => remove.open(template)}
                />
              ))}
            </ul>
          )}
          <Button mt={items.length > 0 ? 'md' : 0} variant="default" onClick={() => edit.open('new')}>
            <Trans>Create a template</Trans>
          </Button>
        </>
      ) : templates.error !== null ? (
        <ErrorState error={templates.error} onRetry={() => void templates.refetch()} />
      ) : (
        <Skeleton height={40} role="status" aria-label={t`Loading`} />
      )}
      {edit.subject !== null && <EditTemplate key={edit.openCount} dialog={edit} subject={edit.subject} />}
      {remove.subject !== null && (
        <DeleteTemplate key={`delete ${remove.openCount}`} dialog={remove} template={remove.subject} />
      )}
    </Panel>
  );
}

interface TemplateItemProps {
  readonly template: Template;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

function TemplateItem({
  template: { name, rules, version, updated_at },
  onEdit,
  onDelete,
}: TemplateItemProps) {
  const count = Object.keys(rules).length;
  return (
    <li className={classes.item}>
      <div className={classes.text}>
        <div className={classes.name}>{name}</div>
        <div className={classes.secondLine}>
          <Trans>
            <Plural value={count} one="# rule" other="# rules" /> · version {version} · changed{' '}
            <DateTime at={updated_at} as="relative" />
          </Trans>
        </div>
      </div>
      <RowMenu
        label={t`Actions for ${name}`}
        actions={[
          { label: t`Edit`, leftSection: <IconEdit size={15} />, onClick: onEdit },
          { label: t`Delete…`, leftSection: <IconTrash size={15} />, onClick: onDelete },
        ]}
      />
    </li>
  );
}

const FIELDS = ['name', 'rules'];
const EXAMPLE = { title: 'h1', price: { selector: '.price', transform: 'number' } };

/** The rules as written in the form; null: they are not a JSON object. */
function parseRules(text: string): TemplateRules | null {
  try {
    const rules: unknown = JSON.parse(text);
    const isObject = typeof rules === 'object' && rules !== null && !Array.isArray(rules);
    return isObject ? (rules as TemplateRules) : null;
  } catch {
    return null;
  }
}

interface EditTemplateProps {
  readonly dialog: DialogState<Template | 'new'>;
  readonly subject: Template | 'new';
}

function EditTemplate({ dialog, subject }: EditTemplateProps) {
  const isNew = subject === 'new';
  const form = useForm({
    initialValues: {
      name: isNew ? '' : subject.name,
      rules: JSON.stringify(isNew ? EXAMPLE : subject.rules, null, 2),
    },
    validate: {
      name: (name) => (name.trim() === '' ? t`Enter a name.` : null),
      rules: (text) => (parseRules(text) === null ? t`Enter a JSON object: a name and a rule each.` : null),
    },
  });
  return (
    <Modal
      opened={dialog.opened}
      onClose={dialog.close}
      title={isNew ? t`Create a template` : t`Edit “${subject.name}”`}
      size="lg"
    >
      <ApiForm
        form={form}
        action={useSaveTemplate()}
        bodyOf={({ name, rules }) => ({ name: name.trim(), rules: parseRules(rules)!, isNew })}
        members={FIELDS}
        onSuccess={(saved) => {
          notifySuccess(t`“${saved.name}” is saved as version ${saved.version}.`);
          dialog.close();
        }}
        submitLabel={isNew ? t`Create the template` : t`Save`}
        onCancel={dialog.close}
        locked
      >
        {isNew && (
          <TextInput
            label={t`Name`}
            placeholder="product"
            description={t`Letters, digits, dots, hyphens and underscores.`}
            maxLength={64}
            {...VERBATIM}
            data-autofocus
            {...form.getInputProps('name')}
          />
        )}
        <Textarea
          {...CODE_AREA}
          label={t`Rules as JSON`}
          description={t`As scraper_options.extract of a request.`}
          minRows={6}
          maxRows={20}
          data-autofocus={!isNew || undefined}
          {...form.getInputProps('rules')}
        />
        {!isNew && (
          <Text size="sm" c="dimmed">
            <Trans>Requests that run already keep the rules that they began with.</Trans>
          </Text>
        )}
      </ApiForm>
    </Modal>
  );
}

interface DeleteTemplateProps {
  readonly dialog: DialogState<Template>;
  readonly template: Template;
}

function DeleteTemplate({ dialog, template: { name } }: DeleteTemplateProps) {
  return (
    <ConfirmDialog
      dialog={dialog}
      title={t`Delete “${name}”?`}
      confirmLabel={t`Delete the template`}
      danger
      action={useDeleteTemplate()}
      input={name}
      done={t`“${name}” is deleted.`}
    >
      <Trans>Requests that name it will be refused. This cannot be undone.</Trans>
    </ConfirmDialog>
  );
}
