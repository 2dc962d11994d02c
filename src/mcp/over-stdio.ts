import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from './mcp-server.ts';
import type { CallService } from './tool.ts';

/**
 * MCP over standard input and output, in both lines of the protocol. Resolves when the input has ended, or when `stop` aborts.
 * @param onError what the library reports
 */
export async function serveMcpOverStdio(
  version: string,
  callService: CallService,
  stop: AbortSignal,
  onError: (error: Error) => void,
): Promise<void> {
  const handle = serveStdio(() => createMcpServer({ version, callService }), { onerror: onError });
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    stop.addEventListener('abort', () => resolve(), { once: true });
    if (stop.aborted || process.stdin.readableEnded) resolve();
  });
  await handle.close();
}
