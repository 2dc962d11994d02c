import type { Failure } from '../domain/failure.ts';
import type { DialAsk, Dialled } from './dialled.ts';
import type { Gateway, GatewayLimits } from './gateway/gateway.ts';

/** The only way out of the process. Judges every address at the moment of the connection. */
export interface Egress {
  connect(ask: DialAsk): Promise<Dialled>;
  /**
   * Why `connect` would not even try: the address is not allowed, or the name stands for none. null: it would. Opens nothing;
   * never rejects.
   */
  judge(ask: DialAsk): Promise<Failure | null>;
  /**
   * Tells a socket of our own that is listening, so that scrapes never reach it (contract: own listeners). What it
   * returns is called when it listens no more.
   */
  addOwnListener(address: string, port: number): () => void;
  /**
   * A way out for engines that own their sockets. Opens nothing yet; closed by the caller.
   * @param limits of each slot; default: those of a browser
   */
  openGateway(limits?: GatewayLimits): Gateway;
  close(): void;
}
