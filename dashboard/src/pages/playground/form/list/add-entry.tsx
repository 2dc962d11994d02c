import { Button, Select } from '@mantine/core';
import { IconPlus } from '../../../../ui/icons.tsx';
import { labelOf } from '../../model/labels.ts';
import classes from '../form.module.css';
import { ReasonedOption } from '../reasoned-option.tsx';

interface AddEntryProps {
  /** Of the list. */
  readonly name: string;
  /** null: there is only one kind. */
  readonly kinds: readonly { readonly name: string; readonly description: string | undefined }[] | null;
  readonly onAdd: (kind: string | null) => void;
}

export function AddEntry({ name, kinds, onAdd }: AddEntryProps) {
  if (kinds === null) {
    return (
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} />}
        onClick={() => onAdd(null)}
        data-add
      >
        Add an entry
      </Button>
    );
  }
  const words = new Map(kinds.map((kind) => [kind.name, kind.description]));
  return (
    <Select
      aria-label={`Add to ${labelOf(name).label}`}
      placeholder="Add…"
      data={kinds.map((kind) => ({ value: kind.name, label: labelOf(kind.name).label }))}
      classNames={{ option: classes.choice }}
      renderOption={({ option }) => <ReasonedOption label={option.label} reason={words.get(option.value)} />}
      value={null}
      onChange={(kind) => kind !== null && onAdd(kind)}
      searchable
      maw={280}
      data-add
    />
  );
}
