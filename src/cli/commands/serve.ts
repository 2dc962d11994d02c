import { chmodSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OPERATOR } from '../../account/account-actions.ts';
import type { Accounts } from '../../account/accounts.ts';
import type { AppliedPasswordStore, FirstUser } from '../../account/first-user.ts';
import { setUpUrl } from '../../account/set-up-links.ts';
import { answerWhileMigrating, type Core, openCore, openService } from '../../app.ts';
import { sleep } from '../../base/wait.ts';
import type { Config } from '../../config/config.ts';
import { appliedPasswordFile } from '../../config/data-dir.ts';
import { VARIABLES } from '../../config/variables.ts';
import { lockDataDir } from '../../data.ts';
import type { Logging } from '../../observe/logger.ts';
import { isStorageFull } from '../../ports/store.ts';
import { nextSignal, onSighup, type RunCommand } from '../core/command.ts';
import { valueOrThrow } from '../core/own-accounts.ts';

/** As documented for SLUICE_BROWSER_WARM. */
const WARM_UP_DELAY_MS = 2_000;
const LOG_FLUSH_MS = 1_000;

/** Runs the service until SIGTERM or SIGINT, then drains it. */
export const serve: RunCommand = async (_call, { config: readConfig, logging, out }) => {
  const config = readConfig();
  const lock = await lockDataDir(config);
  try {
    await runUntilSignal(config, logging, out);
  } finally {
    lock.release();
  }
  logging.logger.info('stopped');
  return 0;
};

/** Settles when the service has drained after a signal. */
async function runUntilSignal(config: Config, logging: Logging, out: (line: string) => void): Promise<void> {
  await using migrating = answerWhileMigrating(config, logging);
  const core = await openCore(config, logging, { onMigrating: migrating?.start, isReplica: true });
  try {
    const firstUser = await core.accounts.ensureFirstUser({
      email: config.adminEmail,
      password: config.adminPassword,
      appliedPasswordStore: appliedPasswordStore(config, logging),
      apiKey: config.apiKey,
    });
    const service = await openService(
      config.browserWarm ? core : withoutStartingBrowsers(core),
      config,
      logging,
    );
    try {
      await migrating?.close();
      const { baseUrl, proxyUrl } = await service.listen(config.host, config.port).catch((error: unknown) => {
        // The port may be taken. The first key is stored already, so no later start would show it.
        showSecrets({ config, firstUser, link: null, baseUrl: null, out });
        throw error;
      });
      const link = mayShowSecrets(firstUser)
        ? await createSetUpLink(core.accounts, firstUser, baseUrl)
        : null;
      // Log lines are written with a delay. They must not follow the key and the link, which should be the last lines.
      if (link !== null || firstUser.createdKey !== null) await logging.flush(LOG_FLUSH_MS);
      if (proxyUrl !== null) printProxyMessages(proxyUrl, config, out);
      printStartMessages({ config, firstUser, link, baseUrl, out });
      using _warmUp = startBrowsersLater(core, config, logging, out);
      using _reload = onSighup(() => {
        core.proxyPools.reload();
        core.reloadBrowsers();
      });
      const signal = await nextSignal();
      logging.logger.info({ signal, seconds: config.drainSeconds }, 'draining');
      // A second signal aborts the running scrapes at once.
      const drain = async () => {
        await service.announceEnd();
        await sleep(drainDelayMs(config));
        await service.drain(config.drainSeconds * 1000);
      };
      await Promise.race([drain(), nextSignal().then(() => service.drain(0))]);
    } finally {
      await service.close();
    }
  } finally {
    await core.close().catch((error: unknown) => {
      // All records are stored already. Only the latest counts of usage and statistics can be lost.
      if (!isStorageFull(error)) throw error;
      logging.logger.warn(
        { err: error },
        'the storage is full: the latest counts of usage and statistics are lost',
      );
    });
  }
}

/** A service alone has no other that a load balancer could choose. */
const drainDelayMs = ({ drainDelaySeconds, databaseUrl }: Config): number =>
  1_000 * (drainDelaySeconds ?? (databaseUrl === null ? 0 : 5));

/** For SLUICE_BROWSER_WARM=false: only a scrape may start a browser, not a request for the list of available scrapers. */
function withoutStartingBrowsers(core: Core): Core {
  const { pipeline, browsers } = core;
  const discoverScrapers = async (): Promise<void> => {
    if (pipeline.unavailable('browser') !== null) return;
    // If no browser can be used, `discover` (null: for no particular task) finds out why, and cannot start one.
    if (!(await browsers.list()).some(({ used }) => used)) await pipeline.discover(null);
  };
  return {
    ...core,
    pipeline: {
      ...pipeline,
      discover: (task) => (task === null ? discoverScrapers() : pipeline.discover(task)),
    },
  };
}

/**
 * Looks for browsers, and starts one if `browserWarm` is set, before the first scrape needs one. Waits two seconds, because a
 * start takes a second of processor time, which is wasted if the service is stopped again soon.
 */
function startBrowsersLater(
  core: Core,
  { browserWarm }: Config,
  { logger }: Logging,
  out: (line: string) => void,
): Disposable {
  const timer = setTimeout(async () => {
    const problem = await core.browsers.start(browserWarm);
    if (problem === null) return;
    logger.warn({ why: problem.message }, 'no browser is available');
    out(`Warning: scrapes that need a browser are refused. ${problem.message}`);
  }, WARM_UP_DELAY_MS);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

/** Errors of the file are only logged. Without the file, the next start applies the password again. */
function appliedPasswordStore(config: Config, { logger }: Logging): AppliedPasswordStore {
  const file = appliedPasswordFile(config);
  const orWarn = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      logger.warn(
        { err: error },
        'cannot read or write the file that remembers which SLUICE_ADMIN_PASSWORD was applied',
      );
      return null;
    }
  };
  return { read: () => orWarn(file.read), write: (text) => void orWarn(() => file.write(text)) };
}

/** Whether there is a private place for a set-up link: a terminal, or the file with the first key. */
const mayShowSecrets = ({ createdUser, createdKey }: FirstUser): boolean =>
  createdUser && (createdKey !== null || process.stdout.isTTY);

/** A link that sets the first password; null if the user has a password. */
async function createSetUpLink(
  accounts: Accounts,
  { user }: FirstUser,
  baseUrl: string,
): Promise<string | null> {
  if (user.passwordHash !== null) return null;
  const { token } = valueOrThrow(await accounts.sessions.createLink(OPERATOR, user.id));
  return setUpUrl(baseUrl, token);
}

interface Secrets {
  readonly config: Config;
  readonly firstUser: FirstUser;
  readonly link: string | null;
  /** null: the service could not listen. */
  readonly baseUrl: string | null;
  readonly out: (line: string) => void;
}

/** Shows the first key and the link: on a terminal, or else in a file, because standard output may be a log that others read. */
function showSecrets({ config, firstUser, link, baseUrl, out }: Secrets): void {
  if (process.stdout.isTTY) {
    if (firstUser.createdKey !== null) {
      out('');
      out(`Your first API key (shown only now): ${firstUser.createdKey}`);
      out('');
      if (baseUrl !== null) {
        out(curlExample(baseUrl, firstUser.createdKey));
        out('');
      }
    }
    if (link !== null) {
      out(`Set the password of ${firstUser.user.email} for the dashboard (this works once, for 24 hours):`);
      out(`  ${link}`);
      out('');
    }
  } else if (firstUser.createdKey !== null) {
    const file = resolve(join(config.dataDir, 'first-key'));
    // The key must be in the first line, where scripts expect it.
    writeFileSync(file, [firstUser.createdKey, ...(link === null ? [] : [link]), ''].join('\n'), {
      mode: 0o600,
    });
    // `writeFileSync` applies the mode only to a new file.
    chmodSync(file, 0o600);
    out(
      link === null
        ? `Your first API key is in ${file}`
        : `Your first API key, and a link that sets the password of ${firstUser.user.email}, are in ${file}`,
    );
  }
}

function printStartMessages(secrets: Secrets & { readonly baseUrl: string }): void {
  const { config, firstUser, link, baseUrl, out } = secrets;
  out(`Sluice listens on ${baseUrl}`);
  if (link === null && firstUser.user.passwordHash === null && !firstUser.passwordChanged)
    out(
      `${firstUser.user.email} has no password for the dashboard yet. For a link that sets one: bin/sluice users link --email ${firstUser.user.email}`,
    );
  if (isAdminEmailUnused(config, firstUser))
    out(
      `Warning: SLUICE_ADMIN_EMAIL is ${config.adminEmail}, which is not the e-mail of an administrator: it is only used at the first start. SLUICE_ADMIN_PASSWORD and SLUICE_API_KEY apply to ${firstUser.user.email}.`,
    );
  if (firstUser.operatorKey === 'revoked')
    out('Warning: the key in SLUICE_API_KEY has been revoked and stays revoked.');
  if (config.browserSandbox === 'off')
    out(
      'Warning: browsers run without their sandbox (SLUICE_BROWSER_SANDBOX=off): a page that exploits the browser has the permissions of its user.',
    );
  if (!isLoopback(config.host) && !baseUrl.startsWith('https:'))
    out(
      `Warning: ${config.host} can be reached from other machines without TLS: keys and contents are sent unencrypted. Put a reverse proxy with TLS in front and set SLUICE_BASE_URL to its https URL.`,
    );
  // Last, so that they are not overlooked.
  showSecrets(secrets);
}

function printProxyMessages(proxyUrl: string, { host }: Config, out: (line: string) => void): void {
  out(`The proxy port listens on ${proxyUrl}`);
  if (!isLoopback(host) && !proxyUrl.startsWith('https:'))
    out(
      `Warning: the proxy port can be reached from other machines without TLS: keys and contents are sent unencrypted. Set SLUICE_PROXY_TLS_CERT and SLUICE_PROXY_TLS_KEY.`,
    );
}

/** Whether the operator has set an e-mail address that is not that of the administrator. */
const isAdminEmailUnused = ({ adminEmail }: Config, { user }: FirstUser): boolean =>
  adminEmail !== VARIABLES.adminEmail.fallback && adminEmail.toLowerCase() !== user.email.toLowerCase();

const isLoopback = (host: string): boolean => /^(?:127\.|::1$|localhost$)/.test(host);

const curlExample = (baseUrl: string, key: string): string => `  curl ${baseUrl}/api/v1/scrape/ \\
    -H 'Authorization: Api-Key ${key}' \\
    -H 'Content-Type: application/json' \\
    -d '{"url": "https://example.com", "scraper": "auto"}'`;
