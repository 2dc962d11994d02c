import { isObject } from '../../domain/json-schema.ts';
import { type Caller, jsonOf } from './caller.ts';
import type { ScrapeDraft } from './draft.ts';
import type { Json } from './members.ts';

/**
 * Leaves out what this service does not have, where the rest of the request can be done without it, and notes it for `warning`:
 * the prompt beside a schema if there is no language model, and the country if there are no proxies at all.
 */
export async function settle(
  draft: ScrapeDraft,
  { caller, hasModel }: { readonly caller: Caller; readonly hasModel: boolean },
): Promise<void> {
  const { json } = draft.options;
  if (draft.prompt !== null && !hasModel && isObject(json) && json.schema !== undefined) {
    const { prompt: _, ...rest } = json;
    draft.options.json = rest;
    draft.wanted.notes.push(
      `${draft.prompt} was not used, because this service has no language model: the schema was filled with what the page says.`,
    );
    draft.prompt = null;
  }
  const { proxy } = draft.request;
  if (!isObject(proxy) || typeof proxy.country !== 'string' || proxy.type !== undefined) return;
  const { country, ...others } = proxy;
  if (!(await isRefused(caller, { proxy }, 'proxy.country_unavailable')) || !(await isDirect(caller))) return;
  if (Object.keys(others).length === 0) delete draft.request.proxy;
  else draft.request.proxy = others;
  draft.wanted.notes.push(
    `location.country ${country} was not used, because this service has no proxies: it uses its own address.`,
  );
}

const planned = (caller: Caller, members: Json) =>
  caller.send({
    method: 'POST',
    path: '/api/v1/scrape/',
    body: { url: 'https://example.com/', router: { dry_run: true }, ...members },
  });

async function isRefused(caller: Caller, members: Json, code: string): Promise<boolean> {
  const reply = await planned(caller, members);
  return reply.status >= 400 && jsonOf(reply).code === code;
}

/** Whether there is no datacenter proxy, so that the service's own address is used. */
async function isDirect(caller: Caller): Promise<boolean> {
  const reply = await planned(caller, {});
  if (reply.status !== 200) return false;
  const { warnings } = jsonOf(reply).router as { readonly warnings: readonly { readonly code: string }[] };
  return warnings.some(({ code }) => code === 'proxy.direct');
}
