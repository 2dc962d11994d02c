import { VERSION } from './base/version.ts';
import type { Config } from './config/config.ts';
import { readTracing } from './config/tracing.ts';
import type { Logging } from './observe/logger.ts';
import type { Tracing } from './observe/tracing.ts';
import { SettingsError } from './ports/proxies.ts';

/** null: the operator wants no traces. @throws SettingsError if the variables `OTEL_*` cannot be followed */
export async function openOtlp(
  opened: AsyncDisposableStack,
  { tracePaths: paths }: Config,
  { logger }: Logging,
): Promise<Tracing | null> {
  const { settings, problem } = readTracing();
  if (problem !== null) throw new SettingsError(problem);
  if (settings === null) return null;
  // Loaded here, because it takes a tenth of a second, and most installations have no collector.
  const { createOtlpTracing } = await import('./observe/otlp.ts');
  const tracing = await createOtlpTracing({ ...settings, paths, version: VERSION, logger });
  opened.defer(() => tracing.shutdown());
  return tracing;
}
