// Real: a process of its own.
import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';

const moduleUrl = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
const program = `
  import { createLogger } from ${moduleUrl('./logger.js')};
  import { logWarnings } from ${moduleUrl('./log-warnings.js')};
  logWarnings(createLogger({ service: 'files', role: 'api', level: 'info' }));
  process.emitWarning('11 listeners', 'MaxListenersExceededWarning');
`;

it('a warning of Node.js is one JSON line of the log', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toMatchObject([
    { level: 'warn', service: 'files', err: { type: 'MaxListenersExceededWarning', message: '11 listeners' } },
  ]);
});
