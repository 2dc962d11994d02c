import { setTimeout as pause } from 'node:timers/promises';
import { urlGlob } from '../../../../base/url-glob.ts';
import type { ActionOf } from '../../../../domain/page-action.ts';
import { orAborted } from '../visit/raw-body.ts';
import { networkIdle } from '../waits.ts';
import { type Done, NOTHING } from './done.ts';
import type { Turn } from './turn.ts';

export async function wait({ ms }: ActionOf<'wait'>, { signal }: Turn): Promise<Done> {
  await pause(ms, null, { signal });
  return NOTHING;
}

export async function waitForSelector(
  { at, state }: ActionOf<'wait_for_selector'>,
  turn: Turn,
): Promise<Done> {
  await turn.element(at).waitFor({ state, timeout: turn.left });
  return NOTHING;
}

export async function waitForUrl({ url }: ActionOf<'wait_for_url'>, turn: Turn): Promise<Done> {
  const glob = urlGlob(url);
  const frame = await turn.frame();
  const isThere = ({ href }: URL) => glob.matches(href);
  await frame.waitForURL(isThere, { timeout: turn.left, waitUntil: 'commit' });
  return { result: { url: frame.url() } };
}

export async function waitForLoadState(
  { state }: ActionOf<'wait_for_load_state'>,
  { stage, signal }: Turn,
): Promise<Done> {
  if (state === 'commit') return NOTHING;
  if (state !== 'networkidle') {
    await orAborted(stage.visit.reached(state === 'domcontentloaded' ? 'DOMContentLoaded' : 'load'), signal);
    return NOTHING;
  }
  const warnings = await networkIdle(stage, signal);
  signal.throwIfAborted();
  return warnings.length === 0 ? NOTHING : { warnings };
}
