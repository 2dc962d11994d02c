import { chmodSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OPERATOR } from '../account/account-actions.ts';
import type { Accounts } from '../account/accounts.ts';
import type { AppliedPasswordStore, FirstUser } from '../account/first-user.ts';
import { setUpUrl } from '../account/sessions.ts';
import { type Core, openCore, openService } from '../app.ts';
import type { Config } from '../config/config.ts';
import { appliedPasswordFile } from '../config/data-dir.ts';
import { VARIABLES } from '../config/variables.ts';
import { lockDataDir } from '../data.ts';
import type { Logging } from '../observe/logger.ts';
import { isStorageFull } from '../ports/store.ts';
import { type Command, nextSignal, onSighup, readArgs } from './command.ts';
import { valueOrThrow } from './users.ts';

const BROWSERS_AFTER_MS = 2_000;

/** `sluice serve`: the service until SIGTERM or SIGINT; then it drains, and gives 0. */
export function serve(logging: Logging): Command {
  return {
    usage: 'sluice serve   runs the service; configured by SLUICE_* variables (see docs/configuration.md)',
    async run(args, { config: read, out }) {
      readArgs(args, {}, 0);
      const config = read();
      const claim = await lockDataDir(config);
      try {
        await runUntilSignal(config, logging, out);
      } finally {
        claim.release();
      }
      logging.logger.info('stopped');
      return 0;
    },
  };
}

/** Settles when a signal has come and the service has drained. */
async function runUntilSignal(config: Config, logging: Logging, out: (line: string) => void): Promise<void> {
  const core = await openCore(config, logging);
  try {
    const first = await core.accounts.ensureFirstUser({
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
      const { baseUrl } = await service.listen(config.host, config.port).catch((error: unknown) => {
        // A taken port, say. The key is made, and no later start would show it.
        showSecrets({ config, first, link: null, baseUrl: null, out });
        throw error;
      });
      const link = mayShowSecrets(first) ? await createSetUpLink(core.accounts, first, baseUrl) : null;
      // Lines of the log go out later than what is said here: key and link are to be the last.
      if (link !== null || first.createdKey !== null) await logging.flush(1_000);
      printStartMessages({ config, first, link, baseUrl, out });
      using _soon = startBrowsersLater(core, config, logging, out);
      using _told = onSighup(() => core.proxyPools.reload());
      const signal = await nextSignal();
      logging.logger.info({ signal, seconds: config.drainSeconds }, 'draining');
      // A second signal means now.
      await Promise.race([
        service.drain(config.drainSeconds * 1000),
        nextSignal().then(() => service.drain(0)),
      ]);
    } finally {
      await service.close();
    }
  } finally {
    await core.close().catch((error: unknown) => {
      // Records are stored before they are answered: nothing else is left to be stored.
      if (!isStorageFull(error)) throw error;
      logging.logger.warn({ err: error }, 'the last counts are lost');
    });
  }
}

/** For where no browser is to be started that no scrape needs: who asks what there is is told what is known without. */
function withoutStartingBrowsers(core: Core): Core {
  const { pipeline, browsers } = core;
  const lookAround = async (): Promise<void> => {
    if (pipeline.unavailable('browser') !== null) return;
    // Where none can be used, none starts; and why, is told.
    if (!(await browsers.list()).some(({ used }) => used)) await pipeline.discover(null);
  };
  return {
    ...core,
    pipeline: { ...pipeline, discover: (job) => (job === null ? lookAround() : pipeline.discover(job)) },
  };
}

/**
 * Has a browser running before the first scrape needs one, where the operator lets it. Not at once: it takes a second of a
 * processor, and those who only start, ask and stop the service need none.
 */
function startBrowsersLater(
  core: Core,
  { browserWarm }: Config,
  { logger }: Logging,
  out: (line: string) => void,
): Disposable {
  const timer = setTimeout(async () => {
    const why = await core.browsers.start(browserWarm);
    if (why === null) return;
    logger.warn({ why: why.message }, 'no browser is available');
    out(`Warning: scrapes that need a browser are refused. ${why.message}`);
  }, BROWSERS_AFTER_MS);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

/** Where it cannot be kept, a start sets the password again, as the first one did: no reason not to start. */
function appliedPasswordStore(config: Config, { logger }: Logging): AppliedPasswordStore {
  const kept = appliedPasswordFile(config);
  const orWarn = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      logger.warn({ err: error }, 'cannot store which SLUICE_ADMIN_PASSWORD was applied');
      return null;
    }
  };
  return { read: () => orWarn(kept.read), write: (text) => void orWarn(() => kept.write(text)) };
}

/** Where a secret may go: to a terminal, or beside the first key. */
const mayShowSecrets = ({ createdUser, createdKey }: FirstUser): boolean =>
  createdUser && (createdKey !== null || process.stdout.isTTY);

/** The link that sets the first password; null: there is one. */
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
  readonly first: FirstUser;
  readonly link: string | null;
  /** null: it does not listen. */
  readonly baseUrl: string | null;
  readonly out: (line: string) => void;
}

/** What is told only at the first start: on a terminal, else in a file. */
function showSecrets({ config, first, link, baseUrl, out }: Secrets): void {
  if (process.stdout.isTTY) {
    if (first.createdKey !== null) {
      out('');
      out(`Your first API key (shown only now): ${first.createdKey}`);
      out('');
      if (baseUrl !== null) {
        out(curlExample(baseUrl, first.createdKey));
        out('');
      }
    }
    if (link !== null) {
      out(`Set the password of ${first.user.email} for the dashboard (this works once, for 24 hours):`);
      out(`  ${link}`);
      out('');
    }
  } else if (first.createdKey !== null) {
    const file = resolve(join(config.dataDir, 'first-key'));
    // The key stands in the first line, where scripts look for it.
    writeFileSync(file, [first.createdKey, ...(link === null ? [] : [link]), ''].join('\n'), { mode: 0o600 });
    // The mode of writeFileSync counts only for a new file.
    chmodSync(file, 0o600);
    out(
      link === null
        ? `Your first API key is in ${file}`
        : `Your first API key, and a link that sets the password of ${first.user.email}, are in ${file}`,
    );
  }
}

/** What a person sees at the start. */
function printStartMessages(secrets: Secrets & { readonly baseUrl: string }): void {
  const { config, first, link, baseUrl, out } = secrets;
  out(`Sluice listens on ${baseUrl}`);
  if (link === null && first.user.passwordHash === null && !first.passwordChanged)
    out(
      `${first.user.email} has no password for the dashboard yet. For a link that sets one: bin/sluice users link --email ${first.user.email}`,
    );
  if (isAdminEmailUnused(config, first))
    out(
      `Warning: SLUICE_ADMIN_EMAIL is ${config.adminEmail}, which is not the e-mail of an administrator: it is only used at the first start. SLUICE_ADMIN_PASSWORD and SLUICE_API_KEY apply to ${first.user.email}.`,
    );
  if (first.givenKey === 'revoked')
    out('Warning: the key in SLUICE_API_KEY has been revoked and stays revoked.');
  if (config.browserSandbox === 'off')
    out(
      'Warning: browsers run without their sandbox (SLUICE_BROWSER_SANDBOX=off): a page that exploits the browser has the permissions of its user.',
    );
  if (!isLoopback(config.host) && !baseUrl.startsWith('https:'))
    out(
      `Warning: ${config.host} can be reached from other machines without TLS: keys and contents are sent unencrypted. Put a reverse proxy with TLS in front and set SLUICE_BASE_URL to its https URL.`,
    );
  // Last, where it is seen.
  showSecrets(secrets);
}

/** An operator who says nothing means nobody by the e-mail of an administrator who has another by now. */
const isAdminEmailUnused = ({ adminEmail }: Config, { user }: FirstUser): boolean =>
  adminEmail !== VARIABLES.adminEmail.fallback && adminEmail.toLowerCase() !== user.email.toLowerCase();

const isLoopback = (host: string): boolean => /^(?:127\.|::1$|localhost$)/.test(host);

/** Ready to paste. */
const curlExample = (baseUrl: string, key: string): string => `  curl ${baseUrl}/api/v1/scrape/ \\
    -H 'Authorization: Api-Key ${key}' \\
    -H 'Content-Type: application/json' \\
    -d '{"url": "https://example.com", "scraper": "auto"}'`;
