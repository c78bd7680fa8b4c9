/** A FLAC file with nothing but its header (RFC 9639): the length that it declares, then padding up to `bytes`. */
export function makeFlac({ samples, hertz, bytes }: { samples: number; hertz: number; bytes: number }): Buffer {
  const file = Buffer.alloc(bytes);
  file.write('fLaC');
  // STREAMINFO, 34 bytes: blocks of 4,096 samples; the sample rate (20 bits), one channel, 16 bits, the number of samples (36 bits).
  file.writeUInt32BE(34, 4);
  file.writeUInt16BE(4_096, 8);
  file.writeUInt16BE(4_096, 10);
  const packed = (BigInt(hertz) << 44n) | (15n << 36n) | BigInt(samples);
  file.writeBigUInt64BE(packed, 18);
  // PADDING, the last block.
  file.writeUInt32BE(0x81000000 + bytes - 46, 42);
  return file;
}
