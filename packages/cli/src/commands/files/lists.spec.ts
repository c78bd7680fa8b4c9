// What `ls`, `get`, `rm` and `chunks` print on a terminal, on a pipe and as JSON.
import { describe, expect, it } from '@jest/globals';
import { problem } from '@kiln/sdk/testing';
import { runKiln } from '../../fixtures/run-kiln.js';

const REPORT = {
  id: 'file_01h455vb4pex5vsknk084sn02q',
  space: 'contracts',
  filename: 'A report whose name is much too long for a line of eighty columns.pdf',
  content_type: 'application/pdf',
  size_bytes: 1_234_567,
  status: 'completed',
  job_id: 'job_01h455vb4pex5vsknk084sn02q',
  external_id: null,
  created_at: '2026-11-27 08:55:00',
  updated_at: '2026-11-27 08:56:00',
};
const EVIL = {
  ...REPORT,
  id: 'file_01h455vb4pex5vsknk084sn02r',
  filename: 'x\u001B[2J\ty.md',
  size_bytes: null,
  status: 'failed',
};
const handlers = { 'GET /v1/files': () => ({ files: [REPORT, EVIL], next_cursor: null }) };

describe('kiln ls', () => {
  it('prints a table of at most 80 columns on a terminal, with whole ids and without control characters', async () => {
    const { out, err, exit } = await runKiln(['ls'], { handlers, isTerminal: true });
    expect(out.split('\n')).toStrictEqual([
      'ID                               NAME               STATUS       SIZE  CREATED',
      'file_01h455vb4pex5vsknk084sn02q  A report whose n…  completed  1.2 MB  5 min ago',
      'file_01h455vb4pex5vsknk084sn02r  x�[2J y.md         failed          -  5 min ago',
      '',
    ]);
    expect([err, exit]).toStrictEqual(['', 0]);
  });

  it('prints exact values with tabs on a pipe', async () => {
    const { out } = await runKiln(['ls'], { handlers });
    expect(out).toBe(
      `${REPORT.id}\t${REPORT.filename}\tcompleted\t1234567\t2026-11-27 08:55:00\n` +
        `${EVIL.id}\tx�[2J y.md\tfailed\t\t2026-11-27 08:55:00\n`,
    );
  });

  it('keeps the spaces of a name on a pipe', async () => {
    const filename = 'Screenshot at 3.04\u202FPM  (2).png';
    const files = { 'GET /v1/files': () => ({ files: [{ ...REPORT, filename }], next_cursor: null }) };
    expect((await runKiln(['ls', '--fields', 'filename'], { handlers: files })).out).toBe(`${filename}\n`);
  });

  it('prints whole objects as JSON, a line each, also on a terminal', async () => {
    const { out } = await runKiln(['ls', '--json'], { handlers, isTerminal: true, hasColors: true });
    expect(out).toBe(`${JSON.stringify(REPORT)}\n${JSON.stringify(EVIL)}\n`);
  });

  it('prints the fields of --fields in their order', async () => {
    const words = ['ls', '--fields', 'status,id'];
    expect((await runKiln(words, { handlers })).out).toBe(`completed\t${REPORT.id}\nfailed\t${EVIL.id}\n`);
    expect((await runKiln([...words, '--json'], { handlers })).out).toContain(
      `{"status":"completed","id":"${REPORT.id}"}\n`,
    );
  });

  it('refuses a field that does not exist, without a request', async () => {
    const { exit, err, requests } = await runKiln(['ls', '--json', '--fields', 'id,nope'], { handlers });
    expect([exit, requests]).toStrictEqual([2, []]);
    expect(err).toMatch(/^error: There is no field 'nope'\. Fields: id, filename, /);
  });

  it('sends filters, and the space of the environment', async () => {
    const words = ['ls', '--status', 'failed', '--metadata', 'year=2026', '--sort', 'filename', '--reverse'];
    const { requests } = await runKiln(words, { handlers, environment: { space: 'contracts' } });
    expect(Object.fromEntries(new URL(requests[0]?.path ?? '', 'http://kiln.test').searchParams)).toStrictEqual({
      sort_by: 'filename',
      sort_order: 'desc',
      limit: '50',
      space: 'contracts',
      status: 'failed',
      'metadata.year': '2026',
    });
  });

  it('says on stderr that there are more than --limit', async () => {
    const { out, err } = await runKiln(['ls', '--limit', '1', '--fields', 'status'], { handlers });
    expect([out, err]).toStrictEqual(['completed\n', 'The first 1. There are more: add --all or --limit.\n']);
  });

  it('colors the status on a terminal with colors', async () => {
    const { out } = await runKiln(['ls'], { handlers, isTerminal: true, hasColors: true });
    expect(out).toContain('\u001B[32mcompleted\u001B[39m');
    expect(out).toContain('\u001B[31mfailed   \u001B[39m');
  });
});

describe('kiln get', () => {
  const file = { ...REPORT, filename: 'report.pdf', metadata: { year: '2026' }, sha256: null, variants: [] };
  const get = { 'GET /v1/files/:id': () => file };

  it('prints the fields of a file', async () => {
    const { out } = await runKiln(['get', file.id, '--fields', 'filename,size_bytes,metadata'], { handlers: get });
    expect(out).toBe('filename\treport.pdf\nsize_bytes\t1234567\nmetadata\t{"year":"2026"}\n');
    const shown = await runKiln(['get', file.id, '--fields', 'filename,size_bytes,metadata'], {
      handlers: get,
      isTerminal: true,
    });
    expect(shown.out).toBe('filename    report.pdf\nsize_bytes  1.2 MB\nmetadata    {"year":"2026"}\n');
  });

  it('prints the bytes of a variant on a pipe, and replaces control characters on a terminal', async () => {
    const variants = { 'GET /v1/files/:id/variants/:type': () => ({ content: '# A\u001B[2J\n', content_url: '' }) };
    const words = ['get', file.id, 'markdown'];
    expect((await runKiln(words, { handlers: variants })).out).toBe('# A\u001B[2J\n');
    expect((await runKiln(words, { handlers: variants, isTerminal: true })).out).toBe('# A�[2J\n');
  });

  it('refuses an id of another kind', async () => {
    const { exit, err } = await runKiln(['get', 'job_1'], { handlers: get });
    expect([exit, err]).toStrictEqual([2, "error: 'job_1' is no id: it must begin with file_\n"]);
  });
});

describe('kiln rm', () => {
  it('does not ask without a terminal: it needs --yes', async () => {
    const { exit, err, requests } = await runKiln(['rm', REPORT.id]);
    expect([exit, requests]).toStrictEqual([2, []]);
    expect(err).toBe(`error: Delete ${REPORT.id} for good? Add --yes to agree.\n`);
  });

  it('prints the ids of deleted files, and fails if one does not exist', async () => {
    const missing = [{ file_id: EVIL.id, code: 'NOT_FOUND', message: 'x' }];
    const { exit, out, err } = await runKiln(['rm', REPORT.id, EVIL.id, '--yes'], {
      handlers: { 'DELETE /v1/files': () => ({ deleted: 1, errors: missing }) },
    });
    expect([exit, out, err]).toStrictEqual([1, `${REPORT.id}\n`, `${EVIL.id}: there is no such file\n`]);
  });
});

describe('an error of the API', () => {
  it.each([
    [401, 'UNAUTHORIZED', 4],
    [403, 'FORBIDDEN', 4],
    [404, 'NOT_FOUND', 1],
    [429, 'RATE_LIMITED', 5],
    [503, 'UNAVAILABLE', 5],
  ])('with status %i and %s ends with %i', async (status, code, expected) => {
    const { exit, err, out } = await runKiln(['ls'], { handlers: { 'GET /v1/files': () => problem(status, code) } });
    expect([exit, out]).toStrictEqual([expected, '']);
    expect(err).toContain(`(${code}, request test)`);
  });
});
