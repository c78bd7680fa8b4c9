// Spans of database queries. They name the statement; they contain neither its text nor its values.
import { ATTR_DB_NAMESPACE, ATTR_DB_QUERY_SUMMARY, ATTR_DB_SYSTEM_NAME } from '@opentelemetry/semantic-conventions';
import { inSpan, SpanKind } from '../observability/tracing.js';
import type { Statement } from './statement.js';

const aboutDatabase = (schema: string) => ({ [ATTR_DB_SYSTEM_NAME]: 'postgresql', [ATTR_DB_NAMESPACE]: schema });

export function inStatementSpan<Result>(
  schema: string,
  { name }: Statement,
  work: () => Promise<Result>,
): Promise<Result> {
  const attributes = { ...aboutDatabase(schema), [ATTR_DB_QUERY_SUMMARY]: name };
  return inSpan(`SQL ${name}`, { kind: SpanKind.CLIENT, attributes }, work);
}

export function inTransactionSpan<Result>(schema: string, work: () => Promise<Result>): Promise<Result> {
  return inSpan('SQL transaction', { attributes: aboutDatabase(schema) }, work);
}
