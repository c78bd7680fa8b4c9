// Every list, from its contract: what callers can store never makes an answer larger than a message on the bus.
import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import * as contracts from '../index.js';
import { MESSAGE_BYTES_MAX } from './context.js';
import { largestJson } from './largest-json.js';
import type { Operation } from './operation.js';
import { PAGE_BYTES_MAX } from './page.js';
import { LIMIT_MAX } from './pagination.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** What foreign stores, files and their texts say has no limit in the contract; these services leave out, or shorten, what does not fit. */
const CUT_BY_SERVICE: Readonly<Record<string, string>> = {
  'analytics.listFailures.v1': 'services/analytics/src/insights/list-failures.usecase.ts',
  'connections.listBuckets.v1': 'services/connections/src/browsing/browse-buckets.usecase.ts',
  'files.listVariants.v1': 'services/files/src/variants/read-variants.usecase.ts',
  'search.search.v1': 'services/search/src/searching/domain/fit-texts.ts',
};

const operations = Object.entries(contracts as Record<string, unknown>)
  .filter(([name]) => /^[a-z]+Operations$/.test(name))
  .flatMap(([, group]) => Object.values(group as Record<string, Operation>));
const shapeOf = ({ output }: Operation): Record<string, z.ZodType> =>
  output instanceof z.ZodObject ? output.shape : {};
const isPaged = (operation: Operation) => ['next_cursor', 'is_last'].some((name) => name in shapeOf(operation));
const isList = (operation: Operation) => isPaged(operation) || /\.(list|search|getBatch)/.test(operation.subject);

describe('the largest answer of a list', () => {
  it('is known for every list there is', () => {
    const names = operations.filter(isList).map(({ subject }) => subject);
    expect(new Set(names).size).toBeGreaterThanOrEqual(16);
  });

  it.each(operations.filter(isPaged))('has rows that each fit into a page: $subject', (operation) => {
    const rows = Object.values(shapeOf(operation)).filter((schema) => schema instanceof z.ZodArray);
    expect(rows).toHaveLength(1);
    const bytes = largestJson(rows[0]?.element as z.ZodType);
    expect(bytes).toBeLessThanOrEqual(PAGE_BYTES_MAX);
  });

  const whole = operations.filter((one) => isList(one) && !isPaged(one) && !(one.subject in CUT_BY_SERVICE));
  it.each(whole)('fits into a message without pages, with as many rows as there can be: $subject', ({ output }) => {
    expect(largestJson(output)).toBeLessThanOrEqual(MESSAGE_BYTES_MAX);
  });

  it('of variants has room for the texts that the files service lets in, beside all else that they hold', () => {
    const withoutText = contracts.variantRecordSchema.extend({ content: z.null() });
    const bytes = largestJson(z.array(withoutText).max(contracts.variantTypes.length));
    expect(bytes + contracts.VARIANT_TEXTS_BYTES_MAX).toBeLessThanOrEqual(MESSAGE_BYTES_MAX);
  });

  it('of files fits at the highest limit without being cut, unless external ids have more than 150 characters', () => {
    const file = contracts.fileSummarySchema.extend({ external_id: z.string().max(150) });
    const bytes = largestJson(z.array(file), LIMIT_MAX);
    expect(bytes).toBeLessThanOrEqual(PAGE_BYTES_MAX);
  });
});

describe('the services', () => {
  const sources = readdirSync(join(root, 'services')).flatMap((service) =>
    readdirSync(join(root, 'services', service, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/\.spec\.ts$|(^|\/)test\//.test(path))
      .map((path) => `services/${service}/src/${path}`),
  );
  const holding = (text: RegExp) => sources.filter((path) => text.test(readFileSync(join(root, path), 'utf8')));

  it('make every cursor in pageOf, which cuts; the one exception passes on the cursor of a bucket', () => {
    expect(holding(/\bencodeCursor\(/)).toStrictEqual(['services/connections/src/browsing/browse-buckets.usecase.ts']);
    expect(holding(/\bpageOf\(/).length).toBeGreaterThanOrEqual(7);
  });

  it('cut where the contract knows no limit', () => {
    const cutting = holding(/\bfittingItems\(|BYTES_MAX/);
    for (const path of Object.values(CUT_BY_SERVICE)) expect(cutting).toContain(path);
  });
});
