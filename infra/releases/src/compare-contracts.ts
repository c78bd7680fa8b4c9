/**
 * What keeps this release from running beside the one before. During a rollout a service calls services of both releases, and events of both
 * are in the streams.
 */
import { compareFields, type Difference } from './compare-fields.js';
import type { Fields } from './flatten-schema.js';
import type { RecordedContracts, RecordedOperation } from './recorded-contracts.js';

/** One line for each incompatible change: where it is, and what one release does not understand of the other. */
export function compareContracts(before: RecordedContracts, now: RecordedContracts): string[] {
  const problems: string[] = [];
  for (const [subject, old] of before.operations) {
    const current = now.operations.get(subject);
    if (current) problems.push(...operationProblems(subject, old, current));
    else problems.push(`${subject} is gone: the release before calls it`);
  }
  for (const [type, old] of before.events) {
    const current = now.events.get(type);
    if (current) problems.push(...dataProblems(`${type} data`, old, current, eventValues));
    else problems.push(`${type} is gone: the release before consumes it`);
  }
  return problems;
}

function operationProblems(subject: string, old: RecordedOperation, current: RecordedOperation): string[] {
  const input = `${subject} input`;
  const problems = compareFields(old.input, current.input, 'values').map(explain(input, SENT_BY_BEFORE));
  if (current.revision <= old.revision) {
    // A service refuses a value that it does not know, and ignores a field. Only the second loses something without an error.
    const ignored = compareFields(current.input, old.input, 'kinds').filter(({ kind }) => kind !== 'missing');
    problems.push(...ignored.map(explain(input, SENT_TO_BEFORE)));
  }
  problems.push(...dataProblems(`${subject} output`, old.output, current.output, anyValues));
  if (old.item && current.item) problems.push(...dataProblems(`${subject} item`, old.item, current.item, anyValues));
  return problems;
}

/** Callers do not validate outputs. */
const anyValues = { fromBefore: 'kinds', toBefore: 'kinds' } as const;
/** Consumers validate events. An event with a value that a consumer does not know is delivered again, to a consumer of this release. */
const eventValues = { fromBefore: 'values', toBefore: 'kinds' } as const;

/** Readers of data ignore fields that they do not know. */
function dataProblems(
  where: string,
  old: Fields,
  current: Fields,
  { fromBefore, toBefore }: typeof anyValues | typeof eventValues,
): string[] {
  const matters = ({ kind }: Difference) => kind !== 'unknown';
  return [
    ...compareFields(old, current, fromBefore).filter(matters).map(explain(where, SENT_BY_BEFORE)),
    ...compareFields(current, old, toBefore).filter(matters).map(explain(where, SENT_TO_BEFORE)),
  ];
}

type Explanations = Readonly<Record<Difference['kind'], string>>;

const SENT_BY_BEFORE: Explanations = {
  missing: 'is required, and the release before does not always send it',
  unknown: 'is gone, and the release before sends it',
  refused: 'has values of the release before that are refused',
};
const SENT_TO_BEFORE: Explanations = {
  missing: 'is not always sent, and the release before requires it',
  unknown: 'is ignored by the release before: raise the revision of the operation',
  refused: 'has kinds of values that the release before does not know',
};

const explain =
  (where: string, explanations: Explanations) =>
  ({ kind, path }: Difference): string =>
    `${where}${path} ${explanations[kind]}`;
