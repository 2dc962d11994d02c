import { useState } from 'react';
import { isInside } from './picture-address.ts';

export type PictureState =
  | { readonly phase: 'loading' }
  | { readonly phase: 'shown'; readonly width: number; readonly height: number }
  | { readonly phase: 'missing'; readonly why: string };

interface Picture {
  readonly state: PictureState;
  onLoad(image: HTMLImageElement): void;
  onError(): void;
}

const WHY: Readonly<Record<number, string>> = {
  401: 'You are signed out. Reload this page to sign in.',
  404: 'The picture is gone: it was deleted with its record, or was not stored.',
};

/** Whether a picture came, and why not: an `<img>` itself never tells. */
export function usePicture(address: string): Picture {
  const [seen, setSeen] = useState(address);
  const [state, setState] = useState<PictureState>({ phase: 'loading' });
  if (seen !== address) {
    setSeen(address);
    setState({ phase: 'loading' });
  }
  return {
    state,
    onLoad: ({ naturalWidth: width, naturalHeight: height }) => setState({ phase: 'shown', width, height }),
    onError: () => void whyNot(address).then((why) => setState({ phase: 'missing', why })),
  };
}

async function whyNot(address: string): Promise<string> {
  if (isInside(address)) return 'The browser cannot show the picture.';
  try {
    const { status } = await fetch(address, { method: 'HEAD', credentials: 'same-origin' });
    return WHY[status] ?? `The picture could not be loaded (status ${status}).`;
  } catch {
    return 'The picture could not be loaded: the service cannot be reached.';
  }
}
