import { queryOptions } from '@tanstack/react-query';
import { serviceTexts } from '../i18n/service-texts.ts';

/** The translation of what the service says. */
export const serviceTextsQuery = queryOptions({
  queryKey: ['service-texts'],
  queryFn: () => serviceTexts(),
  staleTime: Number.POSITIVE_INFINITY,
});
