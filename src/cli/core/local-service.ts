import { timingSafeEqual } from 'node:crypto';
import type { ActiveSession } from '../../account/account-directory.ts';
import type { Accounts } from '../../account/accounts.ts';
import { generateToken, hashToken } from '../../account/tokens.ts';
import { openService } from '../../app.ts';
import { uuid7 } from '../../base/uuid7.ts';
import type { Config } from '../../config/config.ts';
import { defaultBaseUrl } from '../../config/config.ts';
import { lockDataDir } from '../../data.ts';
import { DataInUse } from '../../ports/store.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { type CommandContext, CommandError } from './command.ts';
import { operatorUser } from './own-accounts.ts';

const LOOPBACK = '127.0.0.1';

/**
 * Runs the service in this process on a free port of loopback while `work` runs. Its credential is known only to this
 * process: a session of the oldest administrator that is not stored. Of the jobs and monitors in the data folder, only those of
 * this command run: a command that maps a site must not go on with a crawl that somebody has left.
 * @param jobId an earlier job that also runs
 * @throws CommandError if another service uses the data folder
 */
export function withLocalService<T>(
  io: CommandContext,
  jobId: string | null,
  work: (api: ApiClient) => Promise<T>,
): Promise<T> {
  return io.withCore(async (core, { config, isTemporary }) => {
    const lock = isTemporary ? null : await lockOrExplain(config);
    try {
      const start = uuid7(Date.now());
      const { token, accounts } = withUnstoredSession(core.accounts);
      // Links in results are those of the service that uses the data folder later.
      const baseUrl = config.baseUrl ?? defaultBaseUrl(config.host, config.port);
      const service = await openService(
        { ...core, accounts },
        { ...config, baseUrl, dashboard: false, proxyPort: null },
        io.logging,
        // Ids are in the order in which jobs and monitors were made.
        (id) => id > start || id === jobId,
      );
      try {
        const { port } = await service.listen(LOOPBACK, 0);
        const headers = { cookie: `sluice_session=${token}`, origin: new URL(baseUrl).origin };
        return await work(createApiClient(`http://${LOOPBACK}:${port}`, headers, true));
      } finally {
        await service.drain(config.drainSeconds * 1_000);
        await service.close();
      }
    } finally {
      lock?.release();
    }
  });
}

async function lockOrExplain(config: Config) {
  try {
    return await lockDataDir(config);
  } catch (error) {
    if (!(error instanceof DataInUse)) throw error;
    throw new CommandError(
      `a Sluice service is running on ${config.dataDir}: to use it, set SLUICE_URL to its URL (such as ${config.baseUrl ?? defaultBaseUrl(config.host, config.port)}) and SLUICE_KEY to an API key`,
    );
  }
}

/** The accounts, with one more session of the oldest administrator. */
function withUnstoredSession(accounts: Accounts): { readonly token: string; readonly accounts: Accounts } {
  const user = operatorUser(accounts);
  const principal = accounts.jobPrincipal(user.id, null);
  if (typeof principal === 'string') throw new CommandError(`the user ${user.email} is disabled`);
  const { text: token, hash } = generateToken();
  const now = Date.now();
  const id = uuid7(now);
  const caller: ActiveSession = {
    failure: null,
    principal,
    session: {
      id,
      userId: user.id,
      hash,
      createdAt: now,
      lastSeenAt: now,
      ip: LOOPBACK,
      userAgent: null,
    },
    activity: { id, userId: user.id, lastSeenAt: now, unsaved: false },
    ips: [],
    disabled: false,
  };
  return {
    token,
    accounts: {
      ...accounts,
      authenticateSession: (text) =>
        timingSafeEqual(hashToken(text), hash) ? caller : accounts.authenticateSession(text),
    },
  };
}
