import type { Socket } from 'node:net';
import type { Failure } from '../../domain/failure.ts';
import type { GatewayTrip, Through } from './gateway.ts';
import type { Place } from './place.ts';

/** The record of one wanted connection; reads its counts from the socket while that is open. */
export class Trip implements GatewayTrip {
  readonly host: string | null;
  readonly port: number;
  readonly kind: 'tunnel' | 'plain';
  remoteIp: string | null = null;
  dnsMs: number | null = null;
  connectMs: number | null = null;
  tlsMs: number | null = null;
  cause: Failure | null = null;
  #socket: Socket | null = null;
  #sent = 0;
  #received = 0;

  constructor(kind: 'tunnel' | 'plain', place: Place | null) {
    this.kind = kind;
    this.host = place?.host ?? null;
    this.port = place?.port ?? 0;
  }

  connected({ socket, wire, remoteIp, dnsMs, connectMs, tlsMs }: Extract<Through, { failure: null }>): void {
    this.#socket = wire ?? socket;
    this.remoteIp = remoteIp;
    this.dnsMs = dnsMs;
    this.connectMs = connectMs;
    this.tlsMs = tlsMs ?? null;
  }

  /** A proxy took and gave so much, and led nowhere. */
  spent(wire: Socket): void {
    this.#sent = wire.bytesWritten;
    this.#received = wire.bytesRead;
  }

  /** Keeps the counts and lets go of the socket. */
  closed(): void {
    this.#sent = this.sent;
    this.#received = this.received;
    this.#socket = null;
  }

  /** What was handed to the system; what still waits in memory is not counted. */
  get sent(): number {
    const socket = this.#socket;
    return socket === null ? this.#sent : socket.bytesWritten - socket.writableLength;
  }

  get received(): number {
    return this.#socket === null ? this.#received : this.#socket.bytesRead;
  }
}
