// Real: Postgres. Faked: nothing.
import { expect, it } from '@jest/globals';
import { encodeId, type CodedError } from '@kiln/contracts';
import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, storedFile } from '../test/files-harness.js';

it('a file exists for its own tenant alone, until it or its space is deleted', async () => {
  const kiln = await startFiles();
  try {
    const context = contextOf(uuidv7());
    const [kept, deleted, inDeletedSpace] = [storedFile(), storedFile(), storedFile({ space: 'gone' })];
    for (const file of [kept, deleted, inDeletedSpace]) await kiln.registerFiles.stored(file, context);
    const input = { file_ids: [kept.file_id, deleted.file_id, inDeletedSpace.file_id, encodeId('file', randomUUID())] };
    const existing = async (of = context) => (await kiln.readFiles.findExisting(input, of)).file_ids.toSorted();
    expect(await existing()).toStrictEqual([kept, deleted, inDeletedSpace].map((file) => file.file_id).toSorted());
    expect(await existing(contextOf(uuidv7()))).toStrictEqual([]);
    await kiln.deleteFiles.one({ id: deleted.file_id }, context);
    await kiln.deleteSpace.execute({ name: 'gone', cascade: true }, context);
    expect(await existing()).toStrictEqual([kept.file_id]);
  } finally {
    await kiln.close();
  }
});

it('tells what the existing files are on request, with metadata up to a length', async () => {
  const kiln = await startFiles();
  try {
    const context = contextOf(uuidv7());
    const [short, long] = [
      storedFile({ metadata: { year: '1999' } }),
      storedFile({ metadata: { text: 'x'.repeat(500) } }),
    ];
    for (const file of [short, long]) await kiln.registerFiles.stored(file, context);
    const ids = [short.file_id, long.file_id, encodeId('file', randomUUID())];
    const ask = (of = context) =>
      kiln.readFiles.findExisting({ file_ids: ids, details: { metadata_bytes_max: 100 } }, of);
    const { file_ids: existing, files = [] } = await ask();
    expect(existing.toSorted()).toStrictEqual([short.file_id, long.file_id].toSorted());
    const created_at = expect.stringMatching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
    const known = { filename: short.filename, space: short.space, content_type: null, external_id: null, created_at };
    expect(files.find(({ file_id: id }) => id === short.file_id)).toStrictEqual({
      file_id: short.file_id,
      ...known,
      metadata: { year: '1999' },
    });
    expect(files.find(({ file_id: id }) => id === long.file_id)?.metadata).toBeNull();
    expect(await ask(contextOf(uuidv7()))).toStrictEqual({ file_ids: [], files: [] });
  } finally {
    await kiln.close();
  }
});

it('a file of another space is missing in the same words as one that never was, of another tenant, or deleted', async () => {
  const kiln = await startFiles();
  try {
    const context = contextOf(uuidv7());
    const [mine, hidden, deleted] = [storedFile({ space: 'mine' }), storedFile(), storedFile({ space: 'mine' })];
    for (const file of [mine, hidden, deleted]) await kiln.registerFiles.stored(file, context);
    await kiln.deleteFiles.one({ id: deleted.file_id }, context);
    const wordsOf = (id: string, of = context) =>
      kiln.readFiles.get({ id, space: 'mine' }, of).then(
        (file) => file.id,
        ({ code, message }: CodedError) => `${code} ${message}`,
      );
    expect(await wordsOf(mine.file_id)).toBe(mine.file_id);
    const missing = await Promise.all([
      wordsOf(hidden.file_id),
      wordsOf(deleted.file_id),
      wordsOf(encodeId('file', uuidv7())),
      wordsOf(mine.file_id, contextOf(uuidv7())),
    ]);
    expect(new Set(missing)).toStrictEqual(new Set(['NOT_FOUND No file has this id.']));
  } finally {
    await kiln.close();
  }
});
