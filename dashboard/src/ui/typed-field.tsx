import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { IconSearch } from './icons.tsx';

/** Delay after the last keystroke before the list is filtered, in ms. */
const DEBOUNCE_MS = 300;

interface TypedFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** The text of the filter in force. */
  readonly applied: string;
  /** Called with the text when the user pauses, and on Enter and blur. */
  readonly onApply: (text: string) => void;
  /** How a text is written when it has been applied. */
  readonly tidied: (text: string) => string;
  readonly size?: 'xs' | 'sm';
  readonly className?: string | undefined;
}

/** A text field that filters while the user types. */
export function TypedField({
  label,
  placeholder,
  applied,
  onApply,
  tidied,
  size = 'xs',
  className,
}: TypedFieldProps) {
  const [text, setText] = useState(applied);
  const [previous, setPrevious] = useState(applied);
  const [own, setOwn] = useState(applied);
  if (applied !== previous) {
    setPrevious(applied);
    // Only if the filter was changed elsewhere: a text that is being typed must stay.
    if (applied !== own) setText(applied);
  }
  const apply = () => {
    if (tidied(text) === applied) return;
    setOwn(tidied(text));
    onApply(text);
  };
  const commit = () => {
    apply();
    setText(tidied(text));
  };
  const latest = useRef(apply);
  latest.current = apply;
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), text === '' ? 0 : DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextInput
      size={size}
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={14} />}
      className={className}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
    />
  );
}
