import type { ActionOf } from '../../../../domain/page-action.ts';
import { type Box, takeScreenshot } from '../screenshot/take.ts';
import type { Done } from './done.ts';
import type { Turn } from './turn.ts';

export async function picture({ name, fullPage, at }: ActionOf<'screenshot'>, turn: Turn): Promise<Done> {
  const { session, mainFrame: frameId, setHeight, room, album } = turn.stage;
  const element = at === null ? turn.frameElement : turn.element(at);
  const box = async (): Promise<Box | null> => {
    await element!.scrollIntoViewIfNeeded({ timeout: turn.left });
    return element!.boundingBox({ timeout: turn.left });
  };
  // So that what is not there is told like with every other action.
  if (element !== null) await element.waitFor({ state: 'visible', timeout: turn.left });
  const area = element !== null ? box : fullPage ? 'page' : 'viewport';
  const { signal } = turn;
  const ask = { area, type: 'image/png', quality: null } as const;
  const taken = await takeScreenshot({ session, frameId, setHeight }, ask, {
    signal,
    leftMs: turn.left,
    room,
    album,
  });
  if ('code' in taken) return { failed: taken.message };
  const { screenshot, clamped } = taken;
  return { screenshot: { ...screenshot, name }, warnings: clamped === null ? [] : [clamped] };
}
