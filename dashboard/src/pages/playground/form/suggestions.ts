import { useQuery } from '@tanstack/react-query';
import type { Schema } from '../../../api/client.ts';
import { proxyChoicesQuery } from '../../../api/system.ts';
import type { RequestSupport } from '../model/request-fields.ts';
import { refusalOf, resolved } from '../model/schema.ts';
import { useRequestForm } from './form-context.ts';

/** Suggestions by the pointer of the member. */
const SUGGESTIONS: Readonly<
  Record<string, (support: RequestSupport, choices: Choices | undefined) => readonly string[]>
> = {
  '/proxy/pool': (_, choices) => choices?.pools.map(({ name }) => name) ?? [],
  '/proxy/country': (_, choices) => [
    ...new Set(choices?.pools.flatMap(({ countries }) => countries).toSorted()),
  ],
  '/router/order': routeNames,
  '/router/only': routeNames,
  '/router/ignore': routeNames,
  '/scraper_options/timezone': () => Intl.supportedValuesOf('timeZone'),
  '/scraper_options/locale': () => LOCALES,
};

const LOCALES =
  'ar de-CH de-DE en-GB en-US es-ES fr-FR hi-IN it-IT ja-JP ko-KR nl-NL pl-PL pt-BR ru-RU tr-TR zh-CN'.split(
    ' ',
  );

type Choices = Schema<'ProxyChoices'>;

/** Suggested values for a member whose schema accepts any text. */
export function useSuggestions(pointer: string): readonly string[] {
  const { support } = useRequestForm();
  const { data: choices } = useQuery({ ...proxyChoicesQuery, enabled: pointer.startsWith('/proxy/') });
  return SUGGESTIONS[pointer]?.(support, choices) ?? [];
}

/** `http`, `http/residential` and so on, for the scrapers and proxy types that are available. */
function routeNames({ scrapers, components }: RequestSupport): readonly string[] {
  const settings = resolved(components.ProxySettings ?? {}, components);
  const type = settings.properties?.type ?? {};
  const proxies = (type.enum ?? []).filter((value) => refusalOf(type, value) === undefined);
  return scrapers
    .filter(({ name, available }) => available && name !== 'auto')
    .flatMap(({ name }) => [name, ...proxies.map((proxy) => `${name}/${String(proxy)}`)]);
}
