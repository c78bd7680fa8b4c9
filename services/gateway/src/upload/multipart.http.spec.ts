import { describe, expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { readMultipart, type FilePart } from './multipart.http.js';

fc.configureGlobal({ seed: testSeed() });

/** A request whose body comes in pieces of `pieceBytes`. */
function requestOf(body: string, pieceBytes = 7, contentType?: string): IncomingMessage {
  const bytes = Buffer.from(body);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(bytes.subarray(at, at + pieceBytes));
  return requestFrom(pieces, contentType);
}

function requestFrom(pieces: Iterable<Buffer>, contentType = 'multipart/form-data; boundary=b'): IncomingMessage {
  return Object.assign(Readable.from(pieces), { headers: { 'content-type': contentType }, complete: true }) as never;
}

function* cutIntoPieces(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  let at = 0;
  for (let count = 0; at < bytes.length; count += 1) {
    const size = sizes[count % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const part = (disposition: string, content: string, more = '', boundary = 'b') =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`;
const END = '--b--\r\n';

async function textOf({ stream }: FilePart): Promise<string> {
  let text = '';
  for await (const piece of stream) text += String(piece);
  return text;
}

const never = () => Promise.reject(new Error('nothing was to be stored'));

describe('a multipart body', () => {
  it('gives its fields whether they stand before or after the file', async () => {
    const body = part('name="a"', '1') + part('name="file"; filename="x.txt"', 'content') + part('name="b"', 'ü') + END;
    for (const pieceBytes of [1, 7, 10_000]) {
      let before: string[] = [];
      const { fields, stored } = await readMultipart(requestOf(body, pieceBytes), (file, fieldsBefore) => {
        before = [...fieldsBefore.keys()];
        return textOf(file);
      });
      expect(Object.fromEntries(fields)).toStrictEqual({ a: '1', b: 'ü' });
      expect(before).toStrictEqual(['a']);
      expect(stored).toBe('content');
    }
  });

  it('gives the bytes of the file, however much they look like a boundary and wherever they are cut', async () => {
    const delimiter = '\r\n--boundary-7';
    const starts = Array.from({ length: delimiter.length }, (_, at) => delimiter.slice(0, at + 1)).slice(0, -1);
    const fragment = fc.oneof(fc.constantFrom(...starts, '\n', '-', 'b'), fc.stringMatching(/^[a-z\r\n-]{0,60}$/));
    const content = fc.array(fragment, { maxLength: 30 }).map((fragments) => fragments.join(''));
    const cuts = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 6 });
    const types = fc.constantFrom('boundary=boundary-7', 'boundary="boundary-7"', 'charset=utf-8; boundary=boundary-7');
    const holds = async (text: string, sizes: number[], type: string): Promise<void> => {
      fc.pre(!text.includes(delimiter));
      const dispositions = ['name="a"', 'name="file"; filename="x"', 'name="b"'];
      const body = dispositions.map((disposition) => part(disposition, text, '', 'boundary-7')).join('');
      const pieces = cutIntoPieces(Buffer.from(`${body}--boundary-7--\r\n`), sizes);
      const { fields, stored } = await readMultipart(requestFrom(pieces, `multipart/form-data; ${type}`), textOf);
      expect([stored, fields.get('a'), fields.get('b')]).toStrictEqual([text, text, text]);
    };
    await fc.assert(fc.asyncProperty(content, cuts, types, holds), { numRuns: 400 });
  });

  it('waits for who stores the file, wherever the file is in it', async () => {
    const [pieceBytes, count] = [64 * 1024, 300];
    let sent = 0;
    const pieces = function* (): Generator<Buffer> {
      yield Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n');
      for (; sent < count; sent += 1) yield Buffer.alloc(pieceBytes, 'x');
      yield Buffer.from('\r\n--b--\r\n');
    };
    const { stored } = await readMultipart(requestFrom(pieces()), async ({ stream }) => {
      let sizeBytes = 0;
      for await (const piece of stream) {
        for (let wait = 0; wait < 20; wait += 1) await new Promise(setImmediate);
        sizeBytes += (piece as Buffer).length;
        expect(sent).toBeLessThan(sizeBytes / pieceBytes + 50);
      }
      return sizeBytes;
    });
    expect(stored).toBe(count * pieceBytes);
  });

  it('gives the name of the file as it was sent: UTF-8, RFC 5987, path and all', async () => {
    const names: [string, string][] = [
      ['filename="süß 文.pdf"', 'süß 文.pdf'],
      ['filename="x"; filename*=UTF-8\'\'s%C3%BC%C3%9F.pdf', 'süß.pdf'],
      ['filename="../../etc/passwd"', '../../etc/passwd'],
    ];
    for (const [disposition, expected] of names) {
      const body = part(`name="file"; ${disposition}`, '') + END;
      const { stored } = await readMultipart(requestOf(body), async (file) => {
        await textOf(file);
        return file.filename;
      });
      expect(stored).toBe(expected);
    }
  });

  it('without a file gives null', async () => {
    const { stored } = await readMultipart(requestOf(part('name="a"', '1') + END), never);
    expect(stored).toBeNull();
  });

  it('is refused when malformed, cut off, repeated or misnamed', async () => {
    const file = part('name="file"; filename="x"', 'y');
    const wrong: [string, RegExp][] = [
      ['', /malformed or incomplete/],
      ['no multipart at all', /malformed or incomplete/],
      [part('name="file"; filename="x"', 'y'.repeat(100)), /malformed or incomplete/],
      [file + file + END, /file must be given once/],
      [part('name="a"', '1') + part('name="a"', '2') + END, /a must be given once/],
      [part('name="document"; filename="x"', 'y') + END, /must be named "file"/],
      [part('name="metadata"', 'x'.repeat(600_000)) + END, /metadata is too long/],
      [part('name="a"', 'x'.repeat(500_000)) + part('name="b"', 'x'.repeat(500_000)) + END, /more than 786432 bytes/],
      [Array.from({ length: 40 }, (_, at) => part(`name="f${at}"`, '')).join('') + END, /more than 32 fields/],
    ];
    for (const [body, message] of wrong) {
      await expect(readMultipart(requestOf(body, 50_000), textOf)).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: expect.stringMatching(message),
      });
    }
  });

  it('needs a boundary', async () => {
    const request = requestOf('', 7, 'multipart/form-data');
    await expect(async () => readMultipart(request, never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('fails with what storing threw, after storing has ended', async () => {
    const body = part('name="file"; filename="x"', 'y'.repeat(1_000)) + END;
    await expect(readMultipart(requestOf(body), () => Promise.reject(new Error('the store is full')))).rejects.toThrow(
      /the store is full/,
    );
  });
});
