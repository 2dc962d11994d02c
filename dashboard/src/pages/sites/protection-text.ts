import { t } from '@lingui/core/macro';
import type { Site } from '../../api/sites.ts';

/** The name of the protection that demands nothing. */
export const NO_PROTECTION = 'open';

/** Whether a kind of page most likely demands something. */
export const isProtectedPage = ({ demands: [first] }: Pick<Site['pages'][number], 'demands'>): boolean =>
  first !== undefined && first.name !== NO_PROTECTION;

/** What the service says about the protection of a site. */
const TEXTS: Readonly<Record<string, string>> = {
  'shows no protection': t`shows no protection`,
  'needs JavaScript': t`needs JavaScript`,
  'expects the TLS and HTTP/2 fingerprint of a browser': t`expects the TLS and HTTP/2 fingerprint of a browser`,
  'blocks datacenter IP addresses': t`blocks datacenter IP addresses`,
  'blocks datacenter IP addresses and needs JavaScript': t`blocks datacenter IP addresses and needs JavaScript`,
  'runs light bot checks': t`runs light bot checks`,
  'runs bot checks with JavaScript': t`runs bot checks with JavaScript`,
  'runs strict bot checks of browser and IP address': t`runs strict bot checks of browser and IP address`,
  'rates browser and IP address together': t`rates browser and IP address together`,
  'shows most visitors a captcha': t`shows most visitors a captcha`,
  'requires a login or is closed to the public': t`requires a login or is closed to the public`,
};

/** The words of the API (`needs JavaScript`) in the language of the dashboard; unknown ones unchanged. */
export const protectionText = (words: string): string => TEXTS[words] ?? words;
