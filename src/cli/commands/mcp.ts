import { VERSION } from '../../base/version.ts';
import type { RunCommand } from '../core/command.ts';
import { withApi } from '../core/connect.ts';

/** The tools of `POST /mcp` for a program that starts this command. */
export const mcp: RunCommand = async (call, io) => {
  const { serveMcpOverStdio } = await import('../../mcp/over-stdio.ts');
  return withApi(io, call, async (api, signal) => {
    const { logger } = io.logging;
    await serveMcpOverStdio(VERSION, api.reply, signal, (error) => logger.debug({ err: error }, 'mcp'));
    return 0;
  });
};
