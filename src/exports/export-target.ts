import type { ExportRow, ExportTarget } from '../domain/exports.ts';
import type { Sealer } from '../domain/sealing.ts';

/** Targets contain passwords, so they are stored encrypted. @param userId whose export it is */
export const sealExportTarget = (target: ExportTarget, userId: string, sealer: Sealer): Uint8Array =>
  sealer.seal('export.target', userId, Buffer.from(JSON.stringify(target)));

export const openExportTarget = (
  { userId, spec }: Pick<ExportRow, 'userId' | 'spec'>,
  sealer: Sealer,
): ExportTarget => JSON.parse(sealer.open('export.target', userId, spec).toString()) as ExportTarget;

/** The URL to which a target sends; null: it is a link of the service. Placeholders have sample values. */
export function targetUrl(target: ExportTarget): URL | null {
  switch (target.kind) {
    case 'link':
      return null;
    case 's3': {
      const url = new URL(target.endpoint);
      if (!target.pathStyle) url.hostname = `${target.bucket}.${url.hostname}`;
      return url;
    }
    default:
      return new URL(target.url.replaceAll(/[{}]/g, ''));
  }
}
