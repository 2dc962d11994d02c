import { inflateSync } from 'node:zlib';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** `#rrggbb` of a pixel. */
  at(x: number, y: number): string;
}

/** Decodes a PNG as browsers write them: 8 bits per channel, RGB or RGBA, not interlaced (W3C PNG §7–9). */
export function readPng(file: Uint8Array): Pixels {
  const bytes = Buffer.from(file);
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [depth, color, interlace] = [bytes[24], bytes[25], bytes[28]];
  if (depth !== 8 || (color !== 2 && color !== 6) || interlace !== 0)
    throw new Error('this kind of PNG is not supported: 8 bits, RGB or RGBA, not interlaced');
  const step = color === 6 ? 4 : 3;
  const chunks: Buffer[] = [];
  for (let offset = 8; offset < bytes.length; offset += 12 + bytes.readUInt32BE(offset))
    if (bytes.toString('latin1', offset + 4, offset + 8) === 'IDAT')
      chunks.push(bytes.subarray(offset + 8, offset + 8 + bytes.readUInt32BE(offset)));
  const raw = inflateSync(Buffer.concat(chunks));
  const line = width * step;
  const lines = Buffer.alloc(line * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (line + 1)];
    for (let i = 0; i < line; i++) {
      const left = i < step ? 0 : lines[y * line + i - step]!;
      const up = y === 0 ? 0 : lines[(y - 1) * line + i]!;
      const corner = y === 0 || i < step ? 0 : lines[(y - 1) * line + i - step]!;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter!]!;
      lines[y * line + i] = raw[y * (line + 1) + 1 + i]! + predicted;
    }
  }
  return {
    width,
    height,
    at: (x, y) => `#${lines.toString('hex', y * line + x * step, y * line + x * step + 3)}`,
  };
}

/** The Paeth predictor (W3C PNG §9.4). */
function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
