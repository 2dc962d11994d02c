import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { isObject } from '../../result/scrape.ts';
import { parseObject, settingsOf } from './batch-input.ts';
import { NO_SETTINGS, type RequestSettingsValues } from './request-settings.tsx';

interface CarriedRequest {
  /** Empty: none. */
  readonly url: string;
  /** One per line: `url`, or those that were found on its site. */
  readonly urls: string;
  readonly settings: RequestSettingsValues;
  /** `scraper_options` of the request. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * The scrape request with which the playground has opened this form. Without one, all of it is empty.
 * @param withFormats whether the form has fields for formats
 */
export function useCarriedRequest(withFormats = true): CarriedRequest {
  const { request, urls } = useLocation({ select: ({ state }) => state });
  // As it was when the form was opened: its fields are changed by the user.
  const [carried] = useState(() => {
    const members = request === undefined ? null : parseObject(request);
    if (members === null) return { url: '', urls: '', settings: NO_SETTINGS, options: {} };
    const url = typeof members.url === 'string' ? members.url : '';
    return {
      url,
      urls: urls?.join('\n') ?? url,
      settings: settingsOf(members, withFormats),
      options: isObject(members.scraper_options) ? members.scraper_options : {},
    };
  });
  return carried;
}
