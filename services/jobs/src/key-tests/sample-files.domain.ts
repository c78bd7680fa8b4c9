// A small file for each provider, which any engine of its kind can read.
import type { ExtractionProvider } from '@kiln/extraction';

export interface SampleFile {
  filename: string;
  contentType: string;
  bytes: Buffer;
}

const SAMPLE_RATE = 8_000;

const html = '<!doctype html><title>Kiln</title><h1>Kiln</h1><p>This file tests a provider key.</p>';

/** The word "Kiln" in black on white. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAHgAAAAwAQAAAADyFIN+AAAAsUlEQVR42tXSMQ6CMBiG4bdAxE1GNz2GAwPXMjFaFs/l5uJgPAFHqBskpJ9LAYuLo3ZpnrT90v9vjYhGwk/6ObPbL0d3Zp99nF+EOYM8PV+nQElpf3I+lyQJSWkrDU4Auml7BvAoa0/tVjb4VgLcNeRt1Bzzhk04H1q6c+E+3k1RCUALQDW6j+tN/Kx+xTbYeN1eYldN7O0sr3Cxl+17f1oO2LWxRTr04+1RzH/8l6/9Aq3fR7artiQmAAAAAElFTkSuQmCC',
  'base64',
);

export const sampleFiles: Readonly<Record<ExtractionProvider, SampleFile>> = {
  document_extractor: { filename: 'kiln.html', contentType: 'text/html', bytes: Buffer.from(html) },
  image_extractor: { filename: 'kiln.png', contentType: 'image/png', bytes: png },
  audio_extractor: { filename: 'kiln.wav', contentType: 'audio/wav', bytes: secondOfSilence() },
};

/** WAV with 16-bit samples of one channel. Format: http://soundfile.sapp.org/doc/WaveFormat/. */
function secondOfSilence(): Buffer {
  const dataBytes = 2 * SAMPLE_RATE;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + dataBytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(2 * SAMPLE_RATE, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(dataBytes, 40);
  return Buffer.concat([header, Buffer.alloc(dataBytes)]);
}
