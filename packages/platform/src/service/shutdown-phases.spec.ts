import { expect, it } from '@jest/globals';
import { filesOperations, jobsOperations, searchOperations, webhooksOperations } from '@kiln/contracts';
import { callsMs, servicePhases } from './shutdown-phases.js';

const OPERATOR_COMMANDS = ['search.rebuildFiles.v1', 'search.stageVectors.v1'];

it('a service that stops answers each call that it has accepted, as long as its caller waits', () => {
  for (const group of [filesOperations, jobsOperations, searchOperations, webhooksOperations]) {
    const operations = Object.values(group);
    const cut = operations.filter(({ timeoutMs }) => timeoutMs > callsMs(operations)).map(({ subject }) => subject);
    expect(cut.filter((subject) => !OPERATOR_COMMANDS.includes(subject))).toStrictEqual([]);
    expect(servicePhases(operations).intake).toBeGreaterThan(callsMs(operations));
  }
});
