import type { Warning } from '../../../domain/failure.ts';
import { WARNINGS } from '../../../domain/failure.ts';
import {
  type FetchFacts,
  type FetchTiming,
  type HeaderList,
  type Hop as HopFact,
  NO_TIMING,
} from '../../../domain/fetched.ts';
import type { ConnectTimes } from './connect.ts';
import type { Hop } from './hop.ts';
import { lowerCase } from './outgoing.ts';

/** What may still bring the rest of a redirect's body; without effect when it has. */
interface Leftover {
  abandon(): void;
}

/** What one fetch has seen so far, of all its hops. */
export class Trip {
  readonly redirects: HopFact[] = [];
  readonly timing: FetchTiming = { ...NO_TIMING };
  remoteIp: string | null = null;
  sent = false;
  bytesOut = 0;
  bytesIn = 0;
  /** Status of the last head. */
  status: number | null = null;
  #fields: HeaderList | null = null;
  #bodyOnGet = false;
  /** Connections that may still bring the rest of a redirect's body. */
  #leftovers: Leftover[] | null = null;

  connected({ dnsMs, connectMs, tlsMs }: ConnectTimes): void {
    const { timing } = this;
    timing.dns = sum(timing.dns, dnsMs);
    timing.connect = sum(timing.connect, connectMs);
    timing.tls = sum(timing.tls, tlsMs);
  }

  /** What it took to get through a proxy. */
  makesWay(out: number, back: number): void {
    this.bytesOut += out;
    this.bytesIn += back;
  }

  /** A request goes out. @param bytes its length, as far as it is known */
  sends(method: string, fields: HeaderList, remoteIp: string | null, bytes: number, hasBody: boolean): void {
    this.sent = true;
    this.remoteIp = remoteIp;
    this.#fields = fields;
    this.bytesOut += bytes;
    if (hasBody && (method === 'GET' || method === 'HEAD')) this.#bodyOnGet = true;
  }

  ended(hop: Hop): void {
    this.bytesIn += hop.bytesIn;
    this.timing.ttfb = sum(this.timing.ttfb, hop.ttfb);
    this.timing.download = sum(this.timing.download, hop.download);
  }

  leaves(connection: Leftover): void {
    this.#leftovers ??= [];
    this.#leftovers.push(connection);
  }

  /** The fetch is over: nothing of it stays open. */
  close(): void {
    if (this.#leftovers !== null) for (const connection of this.#leftovers) connection.abandon();
  }

  facts(): FetchFacts {
    return {
      redirects: this.redirects,
      requestHeaders: this.#fields === null ? null : lowerCase(this.#fields),
      remoteIp: this.remoteIp,
      timing: this.timing,
      sent: this.sent,
      warnings: this.#bodyOnGet ? BODY_ON_GET : NO_WARNINGS,
      bytesOut: this.bytesOut,
      bytesIn: this.bytesIn,
    };
  }
}

const NO_WARNINGS: readonly Warning[] = [];
const BODY_ON_GET: readonly Warning[] = [
  { code: 'data.on_get', message: WARNINGS['data.on_get'], pointer: '/data' },
];

function sum(before: number | null, more: number | null): number | null {
  return more === null ? before : (before ?? 0) + more;
}
