// FAKES of every service, for tests of tenancy: one responder per operation, on the real bus. They know which tenant owns which id, as
// services do, and answer an id of another tenant like one that does not exist. Their answer to the owner is an error of another kind,
// since these tests only distinguish "not found" from anything else.
import * as contracts from '@kiln/contracts';
import { badRequest, encodeId, notFound, type IdKind, type Operation } from '@kiln/contracts';
import { randomUUID } from 'node:crypto';
import { answerPageReservations } from './fake-answers.js';
import { FakeBus, type Answer } from './fake-bus.js';

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'subject' in value && 'idempotent' in value;

/** Every operation of every service, found in the contracts, so that a new one is covered without a change here. */
const allOperations: Operation[] = Object.entries(contracts)
  .filter(([name, value]) => name.endsWith('Operations') && typeof value === 'object' && value !== null)
  .flatMap(([, group]) => Object.values(group as object).filter(isOperation));

export class OwningServices extends FakeBus {
  private readonly owners = new Map<string, string>();

  /** A new id that belongs to the tenant. */
  own(kind: IdKind, tenantId: string): string {
    const id = encodeId(kind, randomUUID());
    this.owners.set(id, tenantId);
    return id;
  }

  protected answerAll(answer: Answer): void {
    // Handlers reserve pages before they call for anything that has an owner.
    answerPageReservations(answer);
    for (const operation of allOperations) answer(operation, (input, { tenantId }) => this.refuse(input, tenantId));
  }

  private refuse(input: unknown, tenantId: string): never {
    for (const text of JSON.stringify(input).match(/"[a-z]+_[0-9a-z]{26}"/g) ?? []) {
      const owner = this.owners.get(text.slice(1, -1));
      if (owner !== undefined && owner !== tenantId) throw notFound();
    }
    throw badRequest('It exists.');
  }
}
