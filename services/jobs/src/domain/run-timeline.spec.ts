import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RunTimeline, timelineOf, type Run } from './run-timeline.js';

const T0 = Date.parse('2026-11-21T09:30:00.250Z');
const away = { code: 'provider_unavailable' as const, message: 'The provider is away.' };

function recorded(): RunTimeline {
  let now = T0;
  const timeline = new RunTimeline(() => (now += 100));
  timeline.begin('extract', 'document_extractor');
  timeline.fallBack('local', away);
  timeline.begin('index', null);
  return timeline;
}
const run = (overrides: Partial<Run>): Run => ({
  attempt: 1,
  status: 'completed',
  started_at: new Date(T0),
  ended_at: new Date(T0 + 1_000),
  error: null,
  steps: null,
  ...overrides,
});

describe('the timeline of a job', () => {
  it('tells each step of a run with its provider, its time, and the fault that made another provider take over', () => {
    const shown = timelineOf([run({ steps: recorded().steps })]);
    assert.deepEqual(
      shown.map(({ step, provider, status, duration_ms, error }) => [step, provider, status, duration_ms, error]),
      [
        ['extract', 'document_extractor', 'failed', 100, away],
        ['extract', 'local', 'completed', 100, null],
        ['index', null, 'completed', 500, null],
      ],
    );
    assert.deepEqual([shown[0]?.started_at, shown[0]?.ended_at], ['2026-11-21 09:30:00', '2026-11-21 09:30:00']);
  });

  it('ends the step that was open as its run ended', () => {
    const failed = timelineOf([run({ status: 'failed', error: away, steps: recorded().steps })]);
    assert.deepEqual(
      failed.map(({ status }) => status),
      ['failed', 'completed', 'failed'],
    );
    assert.deepEqual(failed.at(-1)?.error, away);
    const [, , open] = timelineOf([run({ status: 'running', ended_at: null, steps: recorded().steps })]);
    assert.deepEqual([open?.status, open?.ended_at, open?.duration_ms], ['running', null, null]);
  });

  it('has one entry for a run that ended before its first step, and keeps runs in order', () => {
    const shown = timelineOf([run({ status: 'interrupted' }), run({ attempt: 2, steps: recorded().steps })]);
    assert.deepEqual(
      shown.map(({ attempt, step }) => [attempt, step]),
      [
        [1, null],
        [2, 'extract'],
        [2, 'extract'],
        [2, 'index'],
      ],
    );
    assert.equal(shown[0]?.duration_ms, 1_000);
  });

  it('never shows a negative time, nor more of a fault than its code and words', () => {
    const fault = { ...away, retryable: true };
    const [entry] = timelineOf([run({ status: 'failed', ended_at: new Date(T0 - 5), error: fault })]);
    assert.equal(entry?.duration_ms, 0);
    assert.deepEqual(entry.error, away);
  });
});
