import { Pill, PillsInput } from '@mantine/core';
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useState } from 'react';

interface EntriesFieldProps {
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
  readonly error?: ReactNode;
}

/** A list of short texts: Enter, a comma or leaving the field takes what was typed, Backspace takes the last away. */
export function EntriesField(props: EntriesFieldProps) {
  const { label, description, placeholder, value, onChange, error } = props;
  const [typed, setTyped] = useState('');
  const take = (text: string) => {
    const entries = text.split(/[\s,;]+/).filter((entry) => entry !== '');
    if (entries.length > 0) onChange([...new Set([...value, ...entries])]);
    setTyped('');
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const ends = event.key === 'Enter' || event.key === ',' || event.key === ' ';
    if (ends && typed.trim() !== '' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      take(typed);
    } else if (event.key === 'Backspace' && typed === '') {
      onChange(value.slice(0, -1));
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text/plain');
    if (!/[\s,;]/.test(text.trim())) return;
    event.preventDefault();
    take(typed + text);
  };
  return (
    <PillsInput label={label} description={description} error={error}>
      <Pill.Group>
        {value.map((entry) => (
          <Pill
            key={entry}
            withRemoveButton
            onRemove={() => onChange(value.filter((one) => one !== entry))}
            removeButtonProps={{ 'aria-label': `Remove ${entry}`, 'aria-hidden': false, tabIndex: 0 }}
          >
            {entry}
          </Pill>
        ))}
        <PillsInput.Field
          miw={80}
          placeholder={value.length === 0 ? placeholder : ''}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => take(typed)}
        />
      </Pill.Group>
    </PillsInput>
  );
}
