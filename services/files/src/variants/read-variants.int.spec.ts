// Real: Postgres, the object store. Faked: nothing. Variants are written by SQL: what is tested is how they are read.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  encodeId,
  filesOperations,
  MESSAGE_BYTES_MAX,
  outputKey,
  uuidOf,
  variantTypes,
  type VariantType,
} from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';

const UNITS_MAX = 65_536;
const missing = { code: 'NOT_FOUND' };

describe('variants', () => {
  let kiln: FilesHarness;
  const context = contextOf(uuidv7());
  const { tenantId } = context;
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());

  async function register(space = 'default') {
    const input = storedFile({ space });
    await kiln.registerFiles.stored(input, context);
    const [fileId, jobId] = [uuidOf('file', input.file_id), uuidOf('job', input.job_id ?? '')];
    const insert = async (type: VariantType, content: string | null, content_key: string | null) => {
      const id = uuidv7();
      await kiln.sql(
        `insert into variants (tenant_id, file_id, type, id, job_id, content_type, size_bytes, content, content_key, provider)
         values ($1, $2, $3, $4, $5, 'text/markdown', $6, $7, $8, 'document_extractor')`,
        [tenantId, fileId, type, id, jobId, Buffer.byteLength(content ?? 'text'), content, content_key],
      );
      return encodeId('variant', id);
    };
    return {
      file_id: input.file_id,
      fileId,
      insert,
      small: (type: VariantType, content: string) => insert(type, content, null),
      large: async (type: VariantType) => {
        const key = outputKey(tenantId, fileId, jobId, 1, type);
        await kiln.objects.put(key, 'text', { contentType: 'text/markdown' });
        return { id: await insert(type, null, key), key };
      },
      list: () => kiln.readVariants.list({ file_id: input.file_id }, context),
      get: (type: VariantType) => kiln.readVariants.get({ file_id: input.file_id, type }, context),
      content: (variant_id: string, as = context) =>
        kiln.readVariants.content({ file_id: input.file_id, variant_id }, as),
    };
  }

  it('include their text when they are small, and a signed URL to their object otherwise', async () => {
    const file = await register();
    const small = await file.small('markdown', '# Ü');
    const large = await file.large('embeddings');
    const { variants } = await file.list();
    expect(variants.map(({ id, content, content_key }) => [id, content, content_key])).toStrictEqual([
      [large.id, null, large.key],
      [small, '# Ü', null],
    ]);
    expect(variants[1]?.content_url).toBeNull();
    expect(await (await fetch(variants[0]?.content_url ?? '')).text()).toBe('text');
    expect(await file.get('markdown')).toStrictEqual(variants[1]);
    expect((await file.get('embeddings')).content_key).toBe(large.key);
  });

  it('fit into one message whatever characters their texts have; texts that were left out can be read one by one', async () => {
    const file = await register();
    const text = '\u0001'.repeat(UNITS_MAX);
    for (const type of variantTypes) await file.small(type, text);
    const { variants } = await file.list();
    const output = filesOperations.listVariants.output.parse({ variants });
    expect(Buffer.byteLength(JSON.stringify(output))).toBeLessThan(MESSAGE_BYTES_MAX);
    const contents = variants.map(({ content }) => content);
    expect(contents).toContain(text);
    expect(contents).toContain(null);
    for (const { id, type } of variants) {
      expect(await file.content(id)).toStrictEqual({ content_type: 'text/markdown', content: text });
      expect((await file.get(type)).content).toBe(text);
    }
  });

  it('have either a text of at most 65,536 characters or an object', async () => {
    const file = await register();
    for (const [content, key] of [
      [null, null],
      ['text', 'key'],
      ['x'.repeat(UNITS_MAX + 1), null],
    ] as const) {
      await expect(file.insert('markdown', content, key)).rejects.toThrow(/check constraint/);
    }
    await file.small('markdown', '');
    expect((await file.get('markdown')).content).toBe('');
  });

  it('return their text by id to their own tenant only, and never that of another variant or file', async () => {
    const [file, other] = [await register(), await register()];
    const [id, others] = [await file.small('markdown', 'mine'), await other.small('markdown', 'of another file')];
    expect((await file.content(id)).content).toBe('mine');
    await expect(file.content(others)).rejects.toMatchObject(missing);
    await expect(file.content(id, contextOf(uuidv7()))).rejects.toMatchObject(missing);
    await expect(file.content((await file.large('embeddings')).id)).rejects.toMatchObject(missing);
    await kiln.sql(`delete from variants where file_id = $1 and type = 'markdown'`, [file.fileId]);
    const next = await file.small('markdown', 'newer');
    await expect(file.content(id)).rejects.toMatchObject(missing);
    expect((await file.content(next)).content).toBe('newer');
  });

  it('return no text after their file or its space is deleted', async () => {
    const [file, hidden] = [await register(), await register('to-be-deleted')];
    const ids = [await file.small('markdown', 'a'), await hidden.small('markdown', 'b')] as const;
    await kiln.deleteFiles.one({ id: file.file_id }, context);
    await kiln.deleteSpace.execute({ name: 'to-be-deleted', cascade: true }, context);
    await expect(file.content(ids[0])).rejects.toMatchObject(missing);
    await expect(hidden.content(ids[1])).rejects.toMatchObject(missing);
  });
});
