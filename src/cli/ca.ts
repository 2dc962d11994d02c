import { systemClock } from '../base/time.ts';
import { proxyAuthorityPath, proxyAuthorityPem } from '../config/data-dir.ts';
import { certificateIn, newAuthorityPem } from '../proxy-port/authority.ts';
import { assertDataExists, CommandError, type RunCommand } from './command.ts';

/** Prints the certificate of the proxy port; creates it, if there is none. */
export const ca: RunCommand = async (_call, io) => {
  const config = io.config();
  assertDataExists(config);
  const certificate = certificateIn(proxyAuthorityPem(config, () => newAuthorityPem(systemClock.now())));
  if (certificate === null) throw new CommandError(`${proxyAuthorityPath(config)} has no certificate`);
  io.out(certificate.trimEnd());
  return 0;
};
