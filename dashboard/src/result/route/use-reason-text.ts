import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { serviceTextsQuery } from '../../api/service-texts.ts';
import { reasonText } from '../../i18n/reason-text.ts';

/** Why the router has taken a step, in the language of the dashboard. In English until the translations are there. */
export function useReasonText(): (reason: string) => string {
  const { data: inLanguage = asItIs } = useQuery(serviceTextsQuery);
  return (reason) =>
    reason === 'named by the request' ? t`you chose this scraper` : reasonText(reason, inLanguage);
}

const asItIs = (text: string): string => text;
