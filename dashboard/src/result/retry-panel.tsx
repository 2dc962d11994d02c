import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { scrapersQuery } from '../api/playground.ts';
import { errorsTableQuery } from '../api/scrapes.ts';
import { useCanChange } from '../api/session.ts';
import { proxyChoicesQuery } from '../api/system.ts';
import { IconPlay } from '../ui/icons.tsx';
import { Panel } from '../ui/panel.tsx';
import classes from './retry-panel.module.css';
import { type AnyScrape, isObject } from './scrape.ts';

type Request = Readonly<Record<string, unknown>>;

interface RetryPanelProps {
  readonly scrape: AnyScrape;
  /** undefined: it cannot be run, such as with masked secrets. */
  readonly request: Request | undefined;
  /** Runs the request with a change. */
  readonly onRun: (request: Request) => void;
  readonly isRunning: boolean;
}

/** What can be changed for another try, as buttons. Renders nothing if there is no advice that this installation can follow. */
export function RetryPanel({ scrape, request, onRun, isRunning }: RetryPanelProps) {
  const { outcome } = scrape.router;
  const canChange = useCanChange();
  const isFine = outcome === 'ok' || outcome === 'planned';
  const { data: table } = useQuery({ ...errorsTableQuery, enabled: !isFine });
  const { data: scrapers } = useQuery({ ...scrapersQuery, enabled: !isFine });
  const { data: proxies } = useQuery({ ...proxyChoicesQuery, enabled: !isFine });
  const [running, setRunning] = useState<Change | null>(null);
  if (isFine) return null;
  const [first] = scrape.errors;
  // Errors of other attempts say nothing about the page.
  const isDelivered = scrape.errors.every(({ attempt }) => attempt !== undefined);
  const status = isDelivered && outcome === 'target_error' ? statusAdvice(scrape.status_code) : null;
  const advised = status?.retry ?? table?.errors.find(({ code }) => code === first?.code)?.retry ?? [];
  const can = {
    scraper: (name: string) => scrapers?.items.some((one) => one.name === name && one.available) === true,
    pool: (type: string) => proxies?.pools.some((pool) => pool.type === type) === true,
  };
  const changes =
    canChange && request !== undefined
      ? advised
          .flatMap((name) => CHANGES[name] ?? [])
          .filter((change) => change.isPossible(scrape, request, can))
      : [];
  if (status === null && changes.length === 0) return null;
  return (
    <Panel title={status === null ? t`Try again` : t`What went wrong`}>
      {status !== null && <p className={classes.advice}>{status.text}</p>}
      {request !== undefined && (
        <Group gap={8}>
          {changes.map((change) => (
            <Button
              key={change.label}
              size="xs"
              variant="default"
              leftSection={<IconPlay size={14} />}
              loading={isRunning && running === change}
              disabled={isRunning}
              onClick={() => {
                setRunning(change);
                onRun(change.changed(request));
              }}
            >
              {change.label}
            </Button>
          ))}
        </Group>
      )}
    </Panel>
  );
}

interface Possibilities {
  scraper(name: string): boolean;
  pool(type: string): boolean;
}

interface Change {
  readonly label: string;
  /** Whether this installation can do it, and the scrape has not done it already. */
  isPossible(scrape: RetryPanelProps['scrape'], request: Request, can: Possibilities): boolean;
  changed(request: Request): Request;
}

/** What the attempts of the scrape used. */
const attemptsOf = ({ router }: AnyScrape) => [router, ...(router.attempts ?? [])];

const withScraper = (name: string, label: string): Change => ({
  label,
  isPossible: (scrape, _, can) =>
    attemptsOf(scrape).every(({ scraper }) => scraper !== name) && (name === 'auto' || can.scraper(name)),
  changed: (request) => ({ ...request, scraper: name }),
});

const withPool = (type: string): Change => ({
  label: t`Retry through ${type}`,
  isPossible: (scrape, _, can) =>
    attemptsOf(scrape).every(({ proxy_type: used }) => used !== type) && can.pool(type),
  changed: (request) => {
    const country = isObject(request.proxy) ? request.proxy.country : undefined;
    return { ...request, proxy: country === undefined ? { type } : { type, country } };
  },
});

/** The default and the largest `timeout_ms` of a request. */
const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_TIMEOUT_MS = 300_000;

function timeoutOf({ timeout_ms }: Request): number {
  const ms = Number(timeout_ms ?? DEFAULT_TIMEOUT_MS);
  return Number.isFinite(ms) ? ms : DEFAULT_TIMEOUT_MS;
}

/** `details.reason` of `tls.invalid` for a certificate. A handshake that failed otherwise fails without the check, too. */
const CERTIFICATE_REASONS: ReadonlySet<string> = new Set(['expired', 'self_signed', 'untrusted', 'hostname']);

/** By the names of the API. */
const CHANGES: Readonly<Record<string, Change>> = {
  browser: withScraper('browser', t`Retry in a browser`),
  http_impersonate: withScraper('http_impersonate', t`Retry with http_impersonate`),
  auto: {
    ...withScraper('auto', t`Retry with auto`),
    isPossible: (_, { scraper }) => scraper !== undefined && scraper !== 'auto',
  },
  residential: withPool('residential'),
  timeout: {
    label: t`Retry with twice the time`,
    isPossible: (_, request) => timeoutOf(request) * 2 <= MAX_TIMEOUT_MS,
    changed: (request) => ({ ...request, timeout_ms: timeoutOf(request) * 2 }),
  },
  unverified_tls: {
    label: t`Retry without checking the certificate`,
    isPossible: ({ errors: [error] }) => CERTIFICATE_REASONS.has(String(error?.details?.reason)),
    changed: (request) => ({
      ...request,
      scraper_options: {
        ...(isObject(request.scraper_options) ? request.scraper_options : {}),
        verify_tls: false,
      },
    }),
  },
};

/** What an error status of the target means. It is no error of the scrape, so `errors` does not have it. */
function statusAdvice(status: number | null): { readonly text: string; readonly retry: readonly string[] } {
  if (status === 401 || status === 403)
    return {
      text: t`The site refused access (status ${status}). It may need credentials, or refuse this method or address.`,
      retry: ['browser', 'residential', 'auto'],
    };
  if (status === 404 || status === 410)
    return {
      text: t`The site has no page at this URL (status ${status}). Check the URL.`,
      retry: [],
    };
  if (status === 429)
    return {
      text: t`The site limits the rate (status 429). Wait before you try again, or use other addresses.`,
      retry: ['residential'],
    };
  if (status !== null && status >= 500)
    return {
      text: t`The site failed to answer the request (status ${status}). Try again later.`,
      retry: ['browser'],
    };
  return {
    text: t`The site returned an error page (status ${status ?? t`unknown`}). Check the URL, the method and the headers of the request.`,
    retry: ['browser'],
  };
}
