import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useVisibleKeys } from '../api/keys.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { DescriptionList } from '../ui/data-table.tsx';
import { DateTime } from '../ui/date-time.tsx';
import { urlText } from '../ui/host-text.ts';
import { Panel } from '../ui/panel.tsx';
import { isDirect, isVendorNetwork } from '../ui/route-name.tsx';
import { TextLink } from '../ui/text.tsx';
import classes from './facts-panel.module.css';
import { type AnyScrape, createdAtOf, httpStatusOf, type ScrapeRouter } from './scrape.ts';
import { capitalised, verdictText } from './texts.ts';

type Fact = readonly [name: string, value: ReactNode];

/** Names and values of the scrape. */
export function FactsPanel({ scrape }: { readonly scrape: AnyScrape }) {
  const { router } = scrape;
  const sluiceStatus = httpStatusOf(scrape);
  const startedAt = createdAtOf(scrape);
  const facts: readonly (Fact | null)[] = [
    scrape.id === null ? null : ['ID', <Id key="id" id={scrape.id} />],
    startedAt === null ? null : [t`Started`, <DateTime key="at" at={startedAt} />],
    sluiceStatus === undefined ? null : [t`Sluice status`, sluiceStatus ?? noStatusText(scrape)],
    [t`Target status`, scrape.status_code ?? '–'],
    [
      t`Final URL`,
      scrape.final_url === null ? (
        '–'
      ) : (
        <span key="url" className="mono">
          {urlText(scrape.final_url)}
        </span>
      ),
    ],
    [
      t`Remote address`,
      router.remote_ip == null ? (
        '–'
      ) : (
        <span key="ip" className="mono">
          {router.remote_ip}
        </span>
      ),
    ],
    [t`Scraper`, scraperText(scrape)],
    [t`Proxy`, proxyText(scrape)],
    router.verdict == null ? null : [t`Verdict`, verdictWithConfidence(router.verdict, scrape.status_code)],
    'key_id' in router ? [t`API key`, <KeyName key="key" id={router.key_id} />] : null,
    [t`Cost`, <CostText key="cost" router={router} />],
    router.cache === undefined || !router.cache.hit
      ? null
      : [t`Cache`, t`hit, ${router.cache.age_ms ?? 0} ms old`],
    router.body_type == null ? null : [t`Body sent as`, router.body_type],
    scrape.scraper_data.charset === undefined ? null : [t`Charset`, charsetText(scrape.scraper_data.charset)],
  ];
  return (
    <Panel title={t`Facts`}>
      <div className={classes.facts}>
        <DescriptionList items={facts.filter((fact) => fact !== null)} />
      </div>
    </Panel>
  );
}

function Id({ id }: { readonly id: string }) {
  return (
    <span className={classes.id}>
      <span className="mono">{id}</span> <CopyButton value={id} label={t`Copy the id`} />
    </span>
  );
}

/** The name of a key. Links to all scrapes with it. */
function KeyName({ id }: { readonly id: string | null }) {
  const keys = useVisibleKeys(id !== null);
  if (id === null) return t`none: run from the dashboard`;
  return (
    <TextLink to="/history" search={{ key_id: id }} size="sm">
      {keys?.find((key) => key.id === id)?.name ?? <span className="mono">{id}</span>}
    </TextLink>
  );
}

/** What determined the charset, by `charset.source`. */
const CHARSET_SOURCES: Readonly<Record<string, string>> = {
  bom: t`byte order mark`,
  http: t`Content-Type header`,
  meta: t`meta element`,
  xml: t`XML declaration`,
  'utf-8': t`valid UTF-8`,
  default: t`default`,
};

const charsetText = ({ name, source }: { readonly name: string; readonly source: string }): string =>
  `${name} (${CHARSET_SOURCES[source] ?? source})`;

const noStatusText = ({ errors }: AnyScrape): string =>
  errors[0]?.code === 'request.cancelled' ? t`none: the client disconnected` : '–';

function scraperText({ router }: AnyScrape): string {
  const requested = router.requested_scraper;
  const used = router.scraper ?? '–';
  return requested === undefined || requested === router.scraper
    ? used
    : t`${used} (requested: ${requested})`;
}

function proxyText(scrape: AnyScrape): string {
  const { scraper, proxy_type } = scrape.router;
  if (proxy_type === null) return '–';
  if (isVendorNetwork(scraper ?? '', proxy_type)) return t`none: the vendor's own network`;
  return isDirect(scrape) ? t`none: the server's own address` : proxy_type;
}

function verdictWithConfidence(
  { kind, confidence }: NonNullable<AnyScrape['router']['verdict']>,
  status: number | null,
): string {
  return `${capitalised(verdictText(kind, status))} (${Math.round(confidence * 100)}\u00a0%)`;
}

function CostText({ router }: { readonly router: ScrapeRouter }) {
  const { request_cost, cost_unit = '', attempts = [] } = router;
  if (request_cost !== null)
    return (
      <span className="tabular">
        {request_cost} {cost_unit}
      </span>
    );
  const costs = attempts.flatMap(({ cost }) => cost ?? []);
  if (costs.length === 0)
    return (
      <span>
        <Trans>no price configured</Trans>
      </span>
    );
  // Rounded, because sums of decimals have errors in the last digits.
  const sum = Number(costs.reduce((a, b) => a + b, 0).toPrecision(12));
  const rest = attempts.length - costs.length;
  return (
    <span className="tabular">
      <Trans>
        at least {sum} {cost_unit}: {rest} of {attempts.length} attempts{' '}
        <Plural value={rest} one="has" other="have" /> no price
      </Trans>
    </span>
  );
}

/** The redirects from the requested URL to the final one. Renders nothing if there were none. */
export function RedirectsPanel({ scrape }: { readonly scrape: AnyScrape }) {
  const redirects = scrape.router.redirects ?? [];
  if (redirects.length === 0) return null;
  return (
    <Panel title={t`Redirects`}>
      <ol className={classes.redirects}>
        {redirects.map(({ url, status_code }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a loop contains the same redirect twice
          <li key={index}>
            <span className={classes.status}>{status_code ?? t`script`}</span>
            <span className={classes.url}>{urlText(url)}</span>
          </li>
        ))}
        {scrape.final_url !== null && (
          <li>
            <span className={classes.status} data-last>
              {scrape.status_code ?? '–'}
            </span>
            <span className={classes.url}>{urlText(scrape.final_url)}</span>
          </li>
        )}
      </ol>
    </Panel>
  );
}
