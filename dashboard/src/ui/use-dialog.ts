import { useEffect, useState } from 'react';

export interface DialogState<About> {
  readonly opened: boolean;
  /** What it is about; kept while it closes, so that it does not change before it is gone. */
  readonly about: About | null;
  /** Another one at each opening: as `key` of the dialog, that starts anew. */
  readonly turn: number;
  readonly open: (about: About) => void;
  readonly close: () => void;
}

/** A dialog that is opened for one of several things. */
export function useDialog<About>(): DialogState<About> {
  const [about, setAbout] = useState<About | null>(null);
  const [turn, setTurn] = useState(0);
  const [opened, setOpened] = useState(false);
  // Once it is there and closed: it keeps in mind where the focus was only when it sees itself being opened.
  useEffect(() => setOpened(turn > 0), [turn]);
  return {
    opened,
    about,
    turn,
    open: (next) => {
      setAbout(next);
      setOpened(false);
      setTurn(turn + 1);
    },
    close: () => setOpened(false),
  };
}
