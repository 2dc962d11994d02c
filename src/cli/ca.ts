import { systemClock } from '../base/time.ts';
import { proxyAuthorityPath, proxyAuthorityPem } from '../config/data-dir.ts';
import { certificateIn, newAuthorityPem } from '../proxy-port/authority.ts';
import { assertDataExists, type Command, CommandError, readArgs } from './command.ts';

export const ca: Command = {
  usage: `sluice ca   prints the certificate of the proxy port (SLUICE_PROXY_PORT) as PEM, for clients to trust

The certificate and its key are created at the first start with a proxy port, or by this command.`,
  async run(args, io) {
    readArgs(args, {});
    const config = io.config();
    assertDataExists(config);
    const certificate = certificateIn(proxyAuthorityPem(config, () => newAuthorityPem(systemClock.now())));
    if (certificate === null) throw new CommandError(`${proxyAuthorityPath(config)} has no certificate`);
    io.out(certificate.trimEnd());
    return 0;
  },
};
