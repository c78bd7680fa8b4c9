import { describe, expect, it } from '@jest/globals';
import { ExtractionError, type Sandbox } from '@kiln/extraction';
import { announceIsolation } from './announce-isolation.service.js';

function announce(checkIsolation: Sandbox['checkIsolation']) {
  const facts: string[][] = [];
  const warnings: unknown[] = [];
  const health = { setFact: (...fact: [string, string]) => void facts.push(fact) };
  const metrics = { sampledGauge: () => undefined };
  const logger = { warn: (about: unknown) => void warnings.push(about) };
  return { facts, warnings, done: announceIsolation({ checkIsolation }, { health, logger: logger as never, metrics }) };
}

describe('the isolation of readers', () => {
  it('is a fact of /readyz, without a warning where no stronger one is possible', async () => {
    const { facts, warnings, done } = announce(() => Promise.resolve({ level: 'user_namespace', reason: null }));
    await done;
    expect([facts, warnings]).toStrictEqual([[['extraction_isolation', 'user_namespace']], []]);
  });

  it.each(['process_only', 'user_namespace'] as const)(
    'is a warning with the reason where %s is not the strongest',
    async (level) => {
      const reason = 'not permitted';
      const { facts, warnings, done } = announce(() => Promise.resolve({ level, reason }));
      await done;
      expect(facts).toStrictEqual([
        ['extraction_isolation', level],
        ['extraction_isolation_reason', reason],
      ]);
      expect(warnings).toStrictEqual([{ reason }]);
    },
  );

  it('ends the start of the worker where namespaces are required and missing, and names the variable', async () => {
    const { facts, done } = announce(() => Promise.reject(new ExtractionError('internal', 'No namespaces.')));
    await expect(done).rejects.toThrow(/No namespaces\..*KILN_EXTRACTION_ISOLATION=preferred/);
    expect(facts).toStrictEqual([]);
  });
});
