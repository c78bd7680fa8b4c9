import { expect, it } from '@jest/globals';
import { GroupedCalls } from '../service/grouped-calls.js';
import { inLogContext, newTrace } from './log-context.js';
import { createLogger } from './logger.js';
import { currentTrace, untraced } from './tracing.js';

interface Line {
  msg: string;
  requestId?: string;
}

function loggedLines() {
  const lines: Line[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Line);
  return { lines, logger: createLogger({ service: 'files', role: 'api', level: 'info' }, { write }) };
}

it('work for one of several callers logs its request, and shared work none of them', async () => {
  const { lines, logger } = loggedLines();
  const work = async (_key: string, calls: string[]) => {
    logger.info(calls.join());
    return calls;
  };
  const calls = new GroupedCalls<string, string>(work, { inFlightMax: 1, callsMax: 10 });
  const call = (requestId: string) =>
    inLogContext(
      () => ({ requestId }),
      () => calls.run('key', requestId),
    );
  await Promise.all(['a', 'b'].map(call));
  await call('alone');
  expect(lines.map(({ msg, requestId }) => [msg, requestId])).toStrictEqual([
    ['a,b', undefined],
    ['alone', 'alone'],
  ]);
});

it('a new trace is in the format of W3C, not sampled, and what runs for it continues it', () => {
  const trace = newTrace();
  expect(trace.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  inLogContext(
    () => ({ trace }),
    () => {
      expect(currentTrace()).toStrictEqual(trace);
      expect(untraced(currentTrace)).toBeUndefined();
    },
  );
  expect(currentTrace()).toBeUndefined();
});
