import { TextInput } from '@mantine/core';
import { useState } from 'react';

interface AppliedFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onApply: (text: string) => void;
  /** What is wrong with a text that is not empty; null: nothing. */
  readonly check?: (text: string) => string | null;
  readonly placeholder?: string;
  readonly type?: 'text' | 'datetime-local';
  readonly inputMode?: 'numeric';
}

/** A text that takes effect with Enter, or when the field is left. */
export function AppliedField({
  label,
  value,
  onApply,
  check,
  placeholder,
  type,
  inputMode,
}: AppliedFieldProps) {
  const [text, setText] = useState(value);
  const [error, setError] = useState<string | null>(null);
  const apply = () => {
    const given = text.trim();
    if (given === value) return setError(null);
    const wrong = given === '' ? null : (check?.(given) ?? null);
    setError(wrong);
    if (wrong === null) onApply(given);
  };
  return (
    <TextInput
      size="xs"
      label={label}
      placeholder={placeholder}
      type={type}
      inputMode={inputMode}
      value={text}
      error={error}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply();
      }}
    />
  );
}
