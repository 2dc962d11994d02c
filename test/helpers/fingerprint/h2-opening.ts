/** The first frames of an HTTP/2 client (RFC 9113 §3.4), up to its first request. */
export interface H2Opening {
  /** In the order of arrival. */
  readonly settings: readonly (readonly [id: number, value: number])[];
  /** WINDOW_UPDATE of the connection; 0: none. */
  readonly windowUpdate: number;
  /** PRIORITY frames: `stream:exclusive:dependency:weight`. */
  readonly priorities: readonly string[];
  /** The stream of the first HEADERS frame, and its priority, if it has one. */
  readonly stream: number;
  readonly headersPriority: string | null;
}

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const [HEADERS, PRIORITY, SETTINGS, WINDOW_UPDATE] = [1, 2, 4, 8];

/** Parses the first bytes of a connection; null: they are not HTTP/2, or end before the first HEADERS frame. */
export function parseH2Opening(bytes: Buffer): H2Opening | null {
  if (bytes.length < PREFACE.length || !bytes.subarray(0, PREFACE.length).equals(PREFACE)) return null;
  const settings: [number, number][] = [];
  const priorities: string[] = [];
  let windowUpdate = 0;
  for (let offset = PREFACE.length; offset + 9 <= bytes.length; ) {
    const length = bytes.readUIntBE(offset, 3);
    const [type, flags] = [bytes[offset + 3], bytes[offset + 4]!];
    const stream = bytes.readUInt32BE(offset + 5) & 0x7fffffff;
    const payload = bytes.subarray(offset + 9, offset + 9 + length);
    if (payload.length < length) return null;
    offset += 9 + length;
    if (type === SETTINGS && (flags & 1) === 0) {
      for (let i = 0; i + 6 <= length; i += 6)
        settings.push([payload.readUInt16BE(i), payload.readUInt32BE(i + 2)]);
    } else if (type === WINDOW_UPDATE && stream === 0 && length === 4) {
      windowUpdate = payload.readUInt32BE(0) & 0x7fffffff;
    } else if (type === PRIORITY && length === 5) {
      priorities.push(`${stream}:${priority(payload)}`);
    } else if (type === HEADERS) {
      const padded = (flags & 8) === 0 ? 0 : 1;
      const hasPriority = (flags & 32) !== 0 && length >= padded + 5;
      const headersPriority = hasPriority ? priority(payload.subarray(padded)) : null;
      return { settings, windowUpdate, priorities, stream, headersPriority };
    }
  }
  return null;
}

/** A priority as `exclusive:dependency:weight`. The weight is 1 to 256; the wire has one less. */
function priority(payload: Buffer): string {
  const word = payload.readUInt32BE(0);
  return `${word >>> 31}:${word & 0x7fffffff}:${payload[4]! + 1}`;
}

/** The fingerprint of HTTP/2 clients by Akamai, not hashed. @param pseudo pseudo-header fields in their order */
export function akamaiText(opening: H2Opening, pseudo: readonly string[]): string {
  const settings = opening.settings.map(([id, value]) => `${id}:${value}`).join(';');
  const priorities = opening.priorities.length === 0 ? '0' : opening.priorities.join(',');
  const window = opening.windowUpdate === 0 ? '00' : String(opening.windowUpdate);
  return `${settings}|${window}|${priorities}|${pseudo.map((name) => name[1]).join(',')}`;
}
