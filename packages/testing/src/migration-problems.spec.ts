import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { QueryRunner } from 'typeorm';
import { migrationProblems } from './migration-problems.js';

const directory = mkdtempSync(join(tmpdir(), 'kiln-migrations-'));
for (const file of ['index.js', '1795251600000-create-things.js', '1795251600000-create-things.js.map']) {
  writeFileSync(join(directory, file), '');
}
/** That of the package whose migrations they are. */
const version = '1.2.3';
writeFileSync(join(directory, 'package.json'), JSON.stringify({ version }));

function release(by: string, checksums: Record<string, string> = {}): void {
  writeFileSync(join(directory, 'released.json'), JSON.stringify({ version: by, checksums }));
}

function problemsOf(sql: string, phase = 'expand', name = 'CreateThings1795251600000') {
  class Example {
    static readonly phase = phase;
    up(runner: QueryRunner): Promise<void> {
      return runner.query(sql);
    }
    down(): Promise<void> {
      return Promise.resolve();
    }
  }
  Object.defineProperty(Example, 'name', { value: name });
  return migrationProblems(pathToFileURL(`${directory}/`), [Example], new Map([[name, sql]]));
}

describe('a migration', () => {
  beforeEach(() => release(version));
  afterAll(() => rmSync(directory, { recursive: true }));

  for (const sql of [
    'create table things (id uuid primary key, text text not null)',
    'alter table things add note text; alter table things alter note drop not null, drop constraint things_check',
    'drop index things_by_note -- rename',
    'create function f() returns void language sql as $body$ drop table things $body$',
  ]) {
    it(`that expands may ${sql}`, async () => expect(await problemsOf(sql)).toStrictEqual([]));
  }

  for (const sql of [
    'drop table things',
    'alter table things drop column note',
    'alter table things drop note',
    'alter table things rename note to remark',
    'alter table things alter note set not null',
    'alter table things alter column note type integer',
    'drop function f()',
  ]) {
    it(`that would ${sql} is a contract`, async () => {
      expect((await problemsOf(sql)).join()).toMatch(/CreateThings1795251600000: removes something/);
      expect(await problemsOf(sql, 'contract')).toStrictEqual([]);
    });
  }

  it('without a phase is a problem', async () => {
    expect((await problemsOf('select 1', '')).join()).toMatch(/neither expand nor contract/);
  });

  it('must be listed under the name of its file', async () => {
    expect((await problemsOf('select 1', 'expand', 'Other1795251600000')).join()).toMatch(
      /listed are Other1795251600000/,
    );
  });

  it('that is not released may change', async () => {
    expect(await problemsOf('create table things (id uuid)')).toStrictEqual([]);
  });

  it('must be recorded when the version of the repository changes, and its record is what the problem says', async () => {
    release('0.0.1');
    const [problem = ''] = await problemsOf('create table things (id uuid)');
    const [record = ''] = /\{.*\}/.exec(problem) ?? [];
    writeFileSync(join(directory, 'released.json'), record);
    expect(await problemsOf('create table things (id uuid)')).toStrictEqual([]);
    expect(await problemsOf('create table things (id uuid, note text)')).toStrictEqual([
      expect.stringMatching(/^CreateThings1795251600000 is released and no longer has its form/),
    ]);
  });

  it('that is released must stay', async () => {
    release(version, { CreateOthers1795251500000: '0123456789abcdef' });
    expect(await problemsOf('create table things (id uuid)')).toStrictEqual([
      expect.stringMatching(/^CreateOthers1795251500000 is released/),
    ]);
  });
});
