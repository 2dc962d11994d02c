import { agentOverride, type BrowserIdentity } from '../user-agent.ts';
import type { PipeTransport } from './pipe-transport.ts';

interface Override {
  readonly method?: string;
  readonly params?: { readonly userAgent: string; readonly acceptLanguage?: string };
}

interface VersionReply {
  readonly result?: { readonly protocolVersion?: string; userAgent?: string };
}

/**
 * Playwright tells each page, frame and worker its user agent, without the brands of client hints: those would still
 * say `HeadlessChrome`. The transport completes these messages. It also gives the browser's user agent its `Headless` back where
 * Playwright asks for it: Playwright knows from it that there are no windows.
 */
export function withIdentity(
  transport: PipeTransport,
  identity: BrowserIdentity,
  headless: boolean,
): PipeTransport {
  const outer: PipeTransport = {
    send(message) {
      const { method, params } = message as Override;
      if (method !== 'Emulation.setUserAgentOverride' || params === undefined) return transport.send(message);
      const override = agentOverride(params.userAgent, params.acceptLanguage ?? null, identity);
      transport.send({ ...message, params: override });
    },
    close: () => transport.close(),
  };
  transport.onmessage = (message) => {
    const { result } = message as VersionReply;
    if (headless && result?.protocolVersion !== undefined)
      result.userAgent = identity.userAgent.replace(' Chrome/', ' HeadlessChrome/');
    outer.onmessage?.(message);
  };
  transport.onclose = (reason) => outer.onclose?.(reason);
  return outer;
}
