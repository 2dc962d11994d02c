import { systemClock } from '../../base/time.ts';
import { openSealer } from '../../data.ts';
import { certificateIn, deleteAuthority, openAuthorityPem } from '../../proxy-port/authority.ts';
import type { RunCommand } from '../core/command.ts';

/** Prints the certificate of the proxy port; creates it, if there is none. */
export const ca: RunCommand = async ({ flags }, io) =>
  io.withData(async (data) => {
    const { store } = data;
    const sealer = await openSealer(io.config(), data);
    if (flags.has('new')) await deleteAuthority(store.secrets);
    io.out(certificateIn(await openAuthorityPem(store.secrets, sealer, systemClock)).trimEnd());
    return 0;
  });
