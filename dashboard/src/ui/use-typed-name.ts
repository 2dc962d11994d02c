import { t } from '@lingui/core/macro';
import { useState } from 'react';

interface TypedName {
  readonly typed: string;
  /** Why it is not taken over; null: it is. */
  readonly problem: string | null;
  type(text: string): void;
}

/**
 * The name of an entry of a list while it is typed. It is taken over when it is complete, and no other entry has it.
 * @param isTaken whether another entry has the name
 */
export function useTypedName(
  name: string,
  isTaken: (name: string) => boolean,
  rename: (name: string) => void,
): TypedName {
  const [typed, setTyped] = useState(name);
  const [known, setKnown] = useState(name);
  if (known !== name) {
    // It was changed elsewhere, such as in the JSON.
    setKnown(name);
    setTyped(name);
  }
  const isOther = typed !== name && isTaken(typed);
  return {
    typed,
    problem: typed === '' ? t`Enter a name.` : isOther ? t`Another field has this name.` : null,
    type: (text) => {
      setTyped(text);
      if (text === '' || (text !== name && isTaken(text))) return;
      setKnown(text);
      rename(text);
    },
  };
}
