import { deadlineOf } from '../../base/time.ts';
import type { ExportTarget } from '../../domain/exports.ts';
import { sealExportTarget, targetUrl } from '../../exports/export-target.ts';
import { keyProblem, placeholderProblem } from '../../exports/object-name.ts';
import { signedExportPath } from '../../wire/answer/signed-links.ts';
import { type ExportBody, readExportTarget, shownTarget } from '../../wire/exports.ts';
import type { Problems } from '../../wire/schema/problems.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { Refusal } from '../core/refusal.ts';
import { refuse } from './run-requests.ts';

/** A name that takes longer to resolve is accepted: it is judged again at each try. */
const CHECK_MS = 5_000;

export interface AcceptedExport {
  readonly format: ExportBody['format'];
  readonly kind: ExportTarget['kind'];
  /** As JSON text, secrets masked. */
  readonly target: string;
  /** Sealed. */
  readonly spec: Uint8Array;
}

/**
 * @param pointer of the export in the body
 * @param kept the target that `***` stands for; null: there is none
 * @throws Refusal if it is not valid, or nothing may be sent there
 */
export async function acceptExport(
  { exportSender, sealer }: Pick<EndpointDeps, 'exportSender' | 'sealer'>,
  userId: string,
  { format, target: body }: ExportBody,
  pointer: string,
  kept: ExportTarget | null,
): Promise<AcceptedExport> {
  const problems: Problems = [];
  const checks = { key: keyProblem, placeholders: placeholderProblem };
  const target = readExportTarget(body, `${pointer}/target`, kept, checks, problems);
  if (target === null) throw new Refusal(problems);
  const url = targetUrl(target);
  if (url !== null) {
    using deadline = deadlineOf(CHECK_MS);
    const refused = await exportSender.check(url, deadline.signal);
    const member = target.kind === 's3' ? 'endpoint' : 'url';
    if (refused?.code === 'policy.address')
      refuse(
        `${pointer}/target/${member}`,
        'has an address that exports may not reach: it is not public, and SLUICE_EXPORT_ALLOW does not name it',
      );
    if (refused?.code === 'dns.not_found')
      refuse(`${pointer}/target/${member}`, `: the host name ${url.hostname} does not exist`);
  }
  const shown = JSON.stringify(shownTarget(target));
  return { format, kind: target.kind, target: shown, spec: sealExportTarget(target, userId, sealer) };
}

/** The signed link of an export. */
export const exportLinks =
  ({ linkKey, baseUrl }: Pick<EndpointDeps, 'linkKey' | 'baseUrl'>) =>
  (id: string, endsAt: number): string =>
    `${baseUrl()}${signedExportPath(linkKey, id, Math.ceil(endsAt / 1_000))}`;
