import { describe, expect, it } from '@jest/globals';
import { connectionProblem, connectionsNeeded, SPARE_CONNECTIONS } from './connection-budget.js';

const files = { name: 'files', replicas: 3, connections: 10 };
const worker = { name: 'jobs-worker', replicas: 20, connections: 5 };

describe('the connections of all processes', () => {
  it('are the sum of pool size times replicas, plus a reserve', () => {
    expect(connectionsNeeded([files, worker])).toBe(130 + SPARE_CONNECTIONS);
  });

  it('fit if Postgres has exactly that many unreserved connections', () => {
    expect(connectionProblem([files, worker], { max: 143, reserved: 3 })).toBeNull();
    expect(connectionProblem([files, worker], { max: 142, reserved: 3 })).toBe(
      '23 processes may open 130 connections to Postgres, and 10 are reserved for migrations and commands; it accepts 139. ' +
        'Raise max_connections to at least 143, or lower KILN_DATABASE_CONNECTIONS.',
    );
  });
});
