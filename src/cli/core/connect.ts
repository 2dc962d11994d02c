import { type Login, loginPath, readLogin } from '../../config/login-file.ts';
import { type ApiClient, CallAborted, createApiClient } from './api-client.ts';
import { type CommandCall, type CommandContext, CommandError } from './command.ts';
import { ClosedOutput } from './output.ts';

/** The exit code after Ctrl+C, as of programs that SIGINT ends. */
export const INTERRUPTED = 130;

/**
 * The service that commands use; null: one in this process. SLUICE_URL and SLUICE_KEY win over `sluice login`.
 * @throws CommandError if only one of them is set, or the stored login cannot be read
 */
export function remoteOf(io: CommandContext, { flags }: CommandCall): Login | null {
  if (flags.has('local')) return null;
  const { remoteUrl: url, remoteKey: key } = io.config();
  if (url !== null && key !== null) return { url, key };
  const login = storedLogin();
  // The key of a login is only for the service that it is for.
  if (url !== null && login?.url === url) return login;
  if (url === null && key !== null)
    throw new CommandError('SLUICE_KEY is set, but SLUICE_URL is not: set both, or none');
  if (url !== null)
    throw new CommandError('SLUICE_URL is set, but SLUICE_KEY is not: set it to an API key of that service');
  return login;
}

function storedLogin(): Login | null {
  try {
    return readLogin();
  } catch (error) {
    throw new CommandError(
      `${loginPath()} cannot be read: ${(error as Error).message}; sluice login writes a new one`,
    );
  }
}

/** A client of a service elsewhere. */
export const remoteApi = ({ url, key }: Login): ApiClient =>
  createApiClient(url, { authorization: `Api-Key ${key}` }, false);

/**
 * Runs `work` with the service that commands use.
 * @param work returns the exit code
 * @param jobId an earlier job that `work` needs to run
 */
export async function withApi(
  io: CommandContext,
  call: CommandCall,
  work: (api: ApiClient, signal: AbortSignal) => Promise<number>,
  jobId: string | null = null,
): Promise<number> {
  const remote = remoteOf(io, call);
  using interrupted = interruption();
  const run = (api: ApiClient) => work(api, interrupted.signal);
  try {
    if (remote !== null) return await run(remoteApi(remote));
    // Loaded only here, because it takes a second.
    return await (await import('./local-service.ts')).withLocalService(io, jobId, run);
  } catch (error) {
    if (error instanceof CallAborted || error instanceof ClosedOutput) return INTERRUPTED;
    throw error;
  }
}

/** A signal that aborts at the first SIGINT (Ctrl+C) or SIGTERM. The second one ends the process, as without a listener. */
function interruption(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const names = ['SIGINT', 'SIGTERM'] as const;
  const dispose = () => {
    for (const name of names) process.off(name, onSignal);
  };
  const onSignal = () => {
    dispose();
    controller.abort();
  };
  for (const name of names) process.on(name, onSignal);
  return { signal: controller.signal, [Symbol.dispose]: dispose };
}
