import type { Offer } from '../model/offer.ts';
import { refusalOf, resolved } from '../model/schema.ts';
import { useRequestForm } from './form-context.ts';

const STEP_LISTS = new Set(['/router/order', '/router/only', '/router/ignore']);

/** Words that make sense at a place, although its schema takes any. */
export function useSuggestions(pointer: string): readonly string[] {
  const { offer } = useRequestForm();
  return STEP_LISTS.has(pointer) ? stepsOf(offer) : [];
}

/** `scraper` and `scraper/proxy_type`, of what is available. */
function stepsOf({ scrapers, components }: Offer): readonly string[] {
  const settings = resolved(components.ProxySettings ?? {}, components);
  const type = settings.properties?.type ?? {};
  const proxies = (type.enum ?? []).filter((one) => refusalOf(type, one) === undefined);
  return scrapers
    .filter(({ name, available }) => available && name !== 'auto')
    .flatMap(({ name }) => [name, ...proxies.map((proxy) => `${name}/${String(proxy)}`)]);
}
