import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Dataset, useCreateDataset } from '../../api/datasets.ts';
import { ApiForm } from '../../ui/api-form.tsx';
import { type DialogState, FormDrawer } from '../../ui/dialog.tsx';

interface NewDatasetDrawerProps {
  readonly dialog: DialogState<true>;
  readonly onCreated: (dataset: Dataset) => void;
}

export const NewDatasetDrawer = ({ dialog, onCreated }: NewDatasetDrawerProps) => (
  <FormDrawer dialog={dialog} title={t`New dataset`}>
    {() => <NewDatasetForm onCreated={onCreated} onCancel={dialog.close} />}
  </FormDrawer>
);

interface NewDatasetFormProps {
  readonly onCreated: (dataset: Dataset) => void;
  readonly onCancel: () => void;
}

function NewDatasetForm({ onCreated, onCancel }: NewDatasetFormProps) {
  const form = useForm({
    initialValues: { name: '', key: '' },
    validate: { name: (name) => (name.trim() === '' ? t`Enter a name.` : null) },
  });
  return (
    <ApiForm
      form={form}
      action={useCreateDataset()}
      bodyOf={({ name, key }) => {
        const columns = key.split(',').flatMap((column) => column.trim() || []);
        return { name: name.trim(), ...(columns.length === 0 ? {} : { key: columns }) };
      }}
      onSuccess={onCreated}
      members={['name', 'key']}
      submitLabel={t`Create the dataset`}
      onCancel={onCancel}
      inDrawer
    >
      <TextInput
        label={t`Name`}
        data-autofocus
        maxLength={200}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <TextInput
        label={t`Rows of two runs are the same by`}
        placeholder="sku"
        description={t`Names of columns, separated by commas. Empty: the URL, and the position on the page.`}
        autoComplete="off"
        {...form.getInputProps('key')}
      />
    </ApiForm>
  );
}
