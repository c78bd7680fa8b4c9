// The fixture of the integration specs: the stores of this service on a real, migrated database of their own.
import type { CallContext, CloudEvent, EventDefinition } from '@kiln/contracts';
import { modeOf } from '@kiln/contracts';
import { createLogger, Database, DayPartitions, migrateService, type Logger } from '@kiln/platform';
import { createTestDatabase, TEST_DATABASE_TIMEOUTS } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { entities } from '../entities.js';
import { migrations } from '../migrations/index.js';
import { FactsConsumer } from '../facts/facts.consumer.js';
import { RecordFacts } from '../facts/record-facts.usecase.js';
import { HistoryStore } from '../insights/history.store.js';
import { InsightStore } from '../insights/insight.store.js';
import { ListFailures } from '../insights/list-failures.usecase.js';
import { ShowHistory } from '../insights/show-history.usecase.js';
import { ShowOverview } from '../insights/show-overview.usecase.js';
import { ShowProcessing } from '../insights/show-processing.usecase.js';
import { ListRequests } from '../requests/list-requests.usecase.js';
import { LOGGED_DAYS } from '../requests/partition.worker.js';
import { RecordRequests } from '../requests/record-requests.usecase.js';
import { RequestLogStore } from '../requests/request-log.store.js';

export const silentLogger: Logger = createLogger({ service: 'analytics', role: 'api', level: 'silent' });

export const contextOf = (tenantId: string): CallContext => ({
  requestId: 'test',
  tenantId,
  mode: modeOf(tenantId),
  principal: 'test',
  deadlineAt: Date.now() + 3_600_000,
});

/** An event as its owner emits it. */
export function eventOf<Data>(
  { type, owner }: EventDefinition,
  tenantId: string,
  data: Data,
  time = new Date(),
): CloudEvent<Data> {
  return {
    specversion: '1.0',
    id: uuidv7(),
    source: `/kiln/${owner}`,
    type,
    time: time.toISOString(),
    datacontenttype: 'application/json',
    tenantid: tenantId,
    mode: modeOf(tenantId),
    data,
  };
}

export type AnalyticsHarness = Awaited<ReturnType<typeof startAnalytics>>;

export async function startAnalytics() {
  const created = await createTestDatabase();
  await migrateService({ service: 'analytics', migrations, databaseUrl: created.url });
  const database = await Database.open(
    {
      url: created.url,
      schema: 'analytics',
      entities,
      byIndex: true,
      connectionsMax: 6,
      ...TEST_DATABASE_TIMEOUTS,
    },
    () => undefined,
  );
  const partitions = new DayPartitions(database, LOGGED_DAYS);
  await partitions.ensure(new Date());
  const log = new RequestLogStore(database);
  const history = new HistoryStore(database, database.dataSource.manager);
  const insights = new InsightStore(database.dataSource.manager);
  return {
    database,
    databaseUrl: created.url,
    facts: new FactsConsumer(new RecordFacts(database)),
    overview: new ShowOverview(insights),
    history: new ShowHistory(history),
    processing: new ShowProcessing(history),
    failures: new ListFailures(insights),
    partitions,
    log,
    recordRequests: new RecordRequests(log),
    listRequests: new ListRequests(log),
    sql: <Row extends object>(text: string, values?: unknown[]): Promise<Row[]> =>
      database.query({ name: '', text }, values),
    close: async () => {
      await database.close();
      await created.drop();
    },
  };
}
