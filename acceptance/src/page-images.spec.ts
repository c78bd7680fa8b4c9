// Images of pages: drawn in the sandbox, kept in the object store, for keys and for holders of portal tokens.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';
import { bodyOf, type KilnClient } from './support/kiln-client.js';
import type { Region } from './support/region.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const WIDTH = 640;
/** A level below this is ink. */
const INK_MAX = 128;

async function makePdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.TimesRoman);
  document.addPage([595, 842]).drawText('A report on kilns', { x: 70, y: 700, size: 20, font });
  const page = document.addPage([595, 842]);
  page.drawText('The quaggadome kiln is heated', { x: 70, y: 500, size: 11, font });
  page.drawText('for nine hours.', { x: 70, y: 486, size: 11, font });
  return document.save();
}

describe('the image of a page', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  let fileId: string;
  const space = `pages-${randomUUID()}`;
  beforeAll(async () => {
    system = await systemUnderTest();
    client = system.client;
    const { id, job_id: jobId } = bodyOf(await client.upload('kilns.pdf', await makePdf(), { space }), 201);
    expect((await client.waitForJob(jobId)).status).toBe('completed');
    fileId = id;
  });
  afterAll(() => system.stop());

  const image = async (path: string, authorization = `ApiKey ${client.apiKey}`) => {
    const response = await fetch(client.baseUrl + path, { headers: { authorization } });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  it('has its ink inside the regions of the text that it shows', async () => {
    const { results } = bodyOf(
      await client.post<{ results: { regions: Region[] }[] }>('/v1/search', { query: 'quaggadome', space }),
      200,
    );
    const regions = (results[0]?.regions ?? []).filter(({ page }) => page === 2);
    expect(regions).not.toStrictEqual([]);
    const { status, headers, bytes } = await image(`/v1/files/${fileId}/pages/2.png?width=${WIDTH}`);
    expect([status, headers.get('content-type')]).toStrictEqual([200, 'image/png']);
    const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
    expect(info.width).toBe(WIDTH);
    const ink = [...data.keys()].filter((at) => (data[at] ?? 0) < INK_MAX);
    expect(ink.length).toBeGreaterThan(200);
    const inside = ink.filter((at) => {
      const [x, y] = [(at % info.width) / info.width, Math.floor(at / info.width) / info.height];
      return regions.some((box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height);
    });
    expect(inside.length / ink.length).toBeGreaterThanOrEqual(0.98);
  });

  it('is the same when it is asked for again, and has the next of the widths that are drawn', async () => {
    const [first, second] = [
      await image(`/v1/files/${fileId}/pages/1.png?width=300`),
      await image(`/v1/files/${fileId}/pages/1.png?width=320`),
    ];
    expect(second.bytes.equals(first.bytes)).toBe(true);
    expect((await sharp(first.bytes).metadata()).width).toBe(320);
  });

  it('is refused with what was wrong and what to do', async () => {
    const refusal = (path: string) => client.get<{ code: string; error: string }>(path);
    expect(await refusal(`/v1/files/${fileId}/pages/3.png`)).toMatchObject({
      status: 404,
      body: { error: 'The file has 2 pages.' },
    });
    for (const page of ['0', '-1', 'x', '1e3']) {
      expect((await refusal(`/v1/files/${fileId}/pages/${page}.png`)).status).toBe(404);
    }
    expect(await refusal(`/v1/files/${fileId}/pages/1.png?width=5000`)).toMatchObject({
      status: 400,
      body: { error: 'width must be a whole number from 1 to 2048' },
    });
    const { id } = bodyOf(await client.upload('notes.txt', 'clay', { space }), 201);
    expect(await refusal(`/v1/files/${id}/pages/1.png`)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', error: 'Pages of text/plain are not drawn. PDF files and images have page images.' },
    });
  });

  it('is shown to the holder of a portal token for the space of the file, and to no other', async () => {
    const tokenFor = async (named: string) =>
      `PortalToken ${bodyOf(await client.post<{ token: string }>('/v1/portal/tokens', { space: named }), 201).token}`;
    const path = `/v1/portal/files/${fileId}/pages/1.png`;
    expect((await image(path, await tokenFor(space))).status).toBe(200);
    expect((await image(path, await tokenFor(`${space}-other`))).status).toBe(404);
    expect((await image(path, 'PortalToken kiln_pt_none')).status).toBe(401);
  });

  it('is gone with its file', async () => {
    const { id } = bodyOf(await client.upload('kilns.pdf', await makePdf(), { space }), 201);
    expect((await image(`/v1/files/${id}/pages/1.png`)).status).toBe(200);
    expect((await client.request('DELETE', `/v1/files/${id}`)).status).toBe(200);
    expect((await image(`/v1/files/${id}/pages/1.png`)).status).toBe(404);
  });
});
