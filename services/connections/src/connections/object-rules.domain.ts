// The rules that select objects for automatic processing.
import { ruleNames, type ConnectionsInput, type RuleName } from '@kiln/contracts';
import { typeOfExtension } from '@kiln/file-types/file-extensions';
import { runInNewContext } from 'node:vm';
import picomatch from 'picomatch';
import { BucketError } from '../external-buckets/domain/bucket-error.js';

type Given = Pick<ConnectionsInput<'updateConnection'>, RuleName>;

/** Empty lists, null and absent fields are no rules. */
export type ObjectRules = { [Rule in RuleName]?: Given[Rule] | undefined };

export interface CheckedObject {
  key: string;
  sizeBytes: number;
  lastModified: Date;
  storageClass?: string;
}

/** Returns the rule that leaves out each object, by key, without those that are selected. Throws BucketError when it takes too long. */
export type RuleCheck = (objects: readonly CheckedObject[]) => ReadonlyMap<string, RuleName>;

/** Of the objects of a store that reports no classes. */
const DEFAULT_STORAGE_CLASS = 'STANDARD';
/** Enough for the patterns of a connection and a page of long keys. */
const PAGE_MS = 1_000;

/** Only the rules that the caller has set. */
export const rulesOf = (input: Given): ObjectRules =>
  Object.fromEntries(ruleNames.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]));

export function ruleCheck(rules: ObjectRules, pageMs = PAGE_MS): RuleCheck {
  const fails = violationsOf(rules);
  const check: RuleCheck = (objects) =>
    new Map(
      objects.flatMap((object) => {
        const rule = ruleNames.find((name) => fails[name]?.(object));
        return rule === undefined ? [] : [[object.key, rule] as const];
      }),
    );
  const hasPatterns = isSet(rules.include) || isSet(rules.exclude);
  return hasPatterns ? (objects) => withinTime(() => check(objects), pageMs) : check;
}

const isSet = (list: readonly string[] | undefined): list is readonly string[] => list !== undefined && list.length > 0;

type Violation = (object: CheckedObject) => boolean;

function violationsOf(rules: ObjectRules): { [Rule in RuleName]?: Violation } {
  const { include, exclude, min_size: min, max_size: max, modified_after: after, content_types: types } = rules;
  const { storage_classes: classes } = rules;
  return {
    ...(isSet(include) && { include: negated(matcherOf(include)) }),
    ...(isSet(exclude) && { exclude: matcherOf(exclude) }),
    ...(min != null && { min_size: ({ sizeBytes }) => sizeBytes < min }),
    ...(max != null && { max_size: ({ sizeBytes }) => sizeBytes > max }),
    ...(after != null && { modified_after: ({ lastModified }) => lastModified.getTime() <= Date.parse(after) }),
    ...(isSet(types) && { content_types: ({ key }) => !isOfType(typeOfExtension(key), types) }),
    ...(isSet(classes) && { storage_classes: (object) => !isOfClass(object, classes) }),
  };
}

const negated =
  (violation: Violation): Violation =>
  (object) =>
    !violation(object);

/**
 * Keys are not paths of a file system: names that begin with a dot are as any others, line breaks are characters, and `!` and `+(…)` have no
 * meaning.
 */
function matcherOf(patterns: readonly string[]): Violation {
  const options = { dot: true, nonegate: true, noextglob: true, windows: false, flags: 's' };
  const matchers = patterns.map((pattern) =>
    picomatch(literalParentheses(pattern), { ...options, basename: !pattern.includes('/') }),
  );
  return ({ key }) => matchers.some((matches) => matches(key));
}

/** picomatch reads parentheses and bars as those of a regular expression, and drops quotes. Escaped characters stay as they are. */
const literalParentheses = (pattern: string): string =>
  pattern.replaceAll(
    /(\\[^])|([()|"])/g,
    (_, escaped: string | undefined, special: string) => escaped ?? `\\${special}`,
  );

function isOfType(type: string | null, types: readonly string[]): boolean {
  if (type === null) return false;
  const group = `${type.split('/', 1)[0]}/*`;
  return types.some((wanted) => wanted.toLowerCase() === type || wanted.toLowerCase() === group);
}

const isOfClass = ({ storageClass = DEFAULT_STORAGE_CLASS }: CheckedObject, classes: readonly string[]): boolean =>
  classes.some((wanted) => wanted.toLowerCase() === storageClass.toLowerCase());

/**
 * Patterns become regular expressions, which can take exponential time. The timeout of `node:vm` also ends regular expressions. It counts the
 * time in which the process did not run, so the first timeout proves nothing.
 */
function withinTime<Result>(work: () => Result, timeoutMs: number, isSecond = false): Result {
  try {
    return runInNewContext('work()', { work }, { timeout: timeoutMs }) as Result;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    if (!isSecond) return withinTime(work, timeoutMs, true);
    const message =
      'Matching the keys with the patterns in include and exclude takes too long. Use fewer `*` in a pattern.';
    throw new BucketError('timeout', message, { cause: error });
  }
}
