import { type ApiClient, CallAborted, createApiClient } from './api-client.ts';
import { type CommandContext, CommandError } from './command.ts';
import { ClosedOutput } from './output.ts';

/** For the usage of commands that call the API. */
export const CONNECTION_USAGE = `
  With SLUICE_URL and SLUICE_KEY (an API key), the command uses that service. Without them, it runs the service itself
  for as long as it takes, with the data folder, or with a temporary one if there is none.`;

export const EXIT_CODE_USAGE = `
  Exit codes: 0: all went well; 1: something failed; 2: wrong usage, or a request that is not valid;
  130: interrupted.`;

/** The exit code after Ctrl+C, as of programs that SIGINT ends. */
export const INTERRUPTED = 130;

/**
 * Runs `work` with the service of `SLUICE_URL`, or without it with one in this process.
 * @param work returns the exit code
 * @param jobId an earlier job that `work` needs to run
 */
export async function withApi(
  io: CommandContext,
  work: (api: ApiClient, signal: AbortSignal) => Promise<number>,
  jobId: string | null = null,
): Promise<number> {
  const { remoteUrl, remoteKey } = io.config();
  if (remoteUrl === null && remoteKey !== null)
    throw new CommandError('SLUICE_KEY is set, but SLUICE_URL is not: set both, or none');
  if (remoteUrl !== null && remoteKey === null)
    throw new CommandError('SLUICE_URL is set, but SLUICE_KEY is not: set it to an API key of that service');
  using interrupted = interruption();
  const run = (api: ApiClient) => work(api, interrupted.signal);
  try {
    if (remoteUrl !== null)
      return await run(createApiClient(remoteUrl, { authorization: `Api-Key ${remoteKey}` }, false));
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
