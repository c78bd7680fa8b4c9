import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connectionProblem, connectionsNeeded, SPARE_CONNECTIONS } from './connection-budget.js';

const files = { name: 'files', replicas: 3, connections: 10 };
const worker = { name: 'jobs-worker', replicas: 20, connections: 5 };

describe('the connections of all processes', () => {
  it('are each pool times its replicas, and some spare', () => {
    assert.equal(connectionsNeeded([files, worker]), 130 + SPARE_CONNECTIONS);
  });

  it('fit up to the last one that Postgres does not reserve', () => {
    assert.equal(connectionProblem([files, worker], { max: 143, reserved: 3 }), null);
    assert.equal(
      connectionProblem([files, worker], { max: 142, reserved: 3 }),
      '23 processes may open 130 connections to Postgres, and 10 are for migrations and commands; it accepts 139. ' +
        'Raise max_connections to at least 143, or lower KILN_DATABASE_CONNECTIONS.',
    );
  });
});
