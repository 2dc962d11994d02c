import { VERSION } from '../base/version.ts';
import { type Command, CommandError, WRONG_USAGE } from './command.ts';
import { CONNECTION_USAGE, withApi } from './connect.ts';

/** The tools of `POST /mcp` for a program that starts this command. */
export const mcp: Command = {
  usage: `sluice mcp   serves the Model Context Protocol over standard input and output

  For programs with language models, such as Claude Code, Cursor and VS Code: they start this command. The tools are
  scrape, read, screenshot, explain, map, crawl and job. Ends when its input ends. No other process may use the data
  folder meanwhile: beside a running service, set SLUICE_URL and SLUICE_KEY.
${CONNECTION_USAGE}`,
  async run(args, io) {
    if (args[0] !== undefined) throw new CommandError(`unexpected argument "${args[0]}"`, WRONG_USAGE);
    const { serveMcpOverStdio } = await import('../mcp/over-stdio.ts');
    return withApi(io, async (api, signal) => {
      const { logger } = io.logging;
      await serveMcpOverStdio(VERSION, api.reply, signal, (error) => logger.debug({ err: error }, 'mcp'));
      return 0;
    });
  },
};
