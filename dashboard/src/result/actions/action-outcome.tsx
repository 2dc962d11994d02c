import { isMembers } from '../asked-request.ts';
import { JsonTree } from '../json-tree/json-tree.tsx';
import { ownAddress } from '../picture/picture-address.ts';
import { PictureView } from '../picture/picture-view.tsx';
import type { ActionStep } from './action-step.ts';

/** What an action brought back: the picture of `screenshot`, all else as it is. */
export function ActionOutcome({ step: { index, type, result } }: { readonly step: ActionStep }) {
  const label = `the result of action ${index}`;
  // Of all other actions a result may look the same, and be the page's own making.
  const picture = type === 'screenshot' ? pictureOf(result) : null;
  if (picture === null) return <JsonTree value={result} label={label} />;
  const { address, link, name, size } = picture;
  return (
    <PictureView
      address={address}
      alt={`Screenshot ${name ?? `of action ${index}`}`}
      name={name ?? `action-${index}`}
      size={size}
      link={link}
      small
    />
  );
}

function pictureOf(result: unknown) {
  if (!isMembers(result) || typeof result.url !== 'string') return null;
  const address = ownAddress(result.url);
  if (address === null) return null;
  const { width, height } = result;
  const size = typeof width === 'number' && typeof height === 'number' ? { width, height } : undefined;
  return { address, link: result.url, size, name: typeof result.name === 'string' ? result.name : null };
}
