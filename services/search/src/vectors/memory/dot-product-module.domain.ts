// A WebAssembly module that computes dot products of one row of 16-bit numbers with many rows of 8-bit numbers, 16 numbers at a time. In
// JavaScript, which has no such instructions, the same takes ten to twenty times as long. In WebAssembly's text format:
//
//   (memory (export "memory") PAGES)
//   (func (export "multiply") (param $query i32) (param $queryEnd i32) (param $rows i32) (param $count i32) (param $products i32)
//     (local $at i32) (local $codes v128) (local $sum v128)
//     (loop $row
//       $sum = 0; $at = $query
//       (loop $part
//         $codes = load 16 bytes from $rows
//         $sum += dot products of pairs: the low 8 of $codes with 8 numbers from $at, the high 8 with the next ones
//         $rows += 16; $at += 32
//         (br_if $part ($at < $queryEnd)))
//       store the sum of the four lanes of $sum at $products
//       $products += 4; $count -= 1
//       (br_if $row ($count != 0))))

export interface DotProductModule {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** All parameters are addresses in its memory, except `count`, which must not be 0. */
  multiply(this: void, query: number, queryEnd: number, rows: number, count: number, products: number): void;
}

/** The part of the interface that this file uses. TypeScript declares it for browsers only. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { readonly exports: unknown };
};

const [I32, V128] = [0x7f, 0x7b];
const [QUERY, QUERY_END, ROWS, COUNT, PRODUCTS, AT, CODES, SUM] = [0, 1, 2, 3, 4, 5, 6, 7];

/** Whole numbers are stored in groups of seven bits, the least significant first. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

const list = (items: readonly (readonly number[])[]) => [...unsigned(items.length), ...items.flat()];
const sized = (bytes: readonly number[]) => [...unsigned(bytes.length), ...bytes];
const section = (id: number, bytes: readonly number[]) => [id, ...sized(bytes)];
const text = (value: string) => sized([...Buffer.from(value)]);

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
/** For numbers below 64. */
const constant = (value: number) => [0x41, value];
const [ADD, SUBTRACT, IS_LESS] = [[0x6a], [0x6b], [0x49]];
const loop = (...body: readonly number[][]) => [0x03, 0x40, ...body.flat(), 0x0b];
const REPEAT_IF = [0x0d, 0];
const store = (offset: number) => [0x36, 2, offset];
const add = (local: number, value: number) => [get(local), constant(value), ADD, set(local)].flat();

const simd = (code: number) => [0xfd, ...unsigned(code)];
const load = (offset: number) => [...simd(0x00), 0, offset];
const ZERO = [...simd(0x0c), ...Array<number>(16).fill(0)];
const lane = (number: number) => [...simd(0x1b), number];
const [WIDEN_LOW, WIDEN_HIGH, MULTIPLY_PAIRS, ADD_LANES] = [simd(0x87), simd(0x88), simd(0xba), simd(0xae)];

const addProducts = (widen: number[], offset: number) =>
  [get(SUM), get(CODES), widen, get(AT), load(offset), MULTIPLY_PAIRS, ADD_LANES, set(SUM)].flat();

const multiplyRow = loop(
  [get(ROWS), load(0), set(CODES)].flat(),
  addProducts(WIDEN_LOW, 0),
  addProducts(WIDEN_HIGH, 16),
  add(ROWS, 16),
  add(AT, 32),
  [get(AT), get(QUERY_END), IS_LESS, REPEAT_IF].flat(),
);
const sumOfLanes = [0, 1, 2, 3].flatMap((number) => [...get(SUM), ...lane(number), ...(number > 0 ? ADD : [])]);
const multiply = loop(
  [ZERO, set(SUM), get(QUERY), set(AT)].flat(),
  multiplyRow,
  [get(PRODUCTS), sumOfLanes, store(0)].flat(),
  add(PRODUCTS, 4),
  [get(COUNT), constant(1), SUBTRACT, set(COUNT), get(COUNT), REPEAT_IF].flat(),
);
const PARAMETERS = [QUERY, QUERY_END, ROWS, COUNT, PRODUCTS];
const LOCALS = list([
  [1, I32],
  [2, V128],
]);
const HEADER = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const TYPES = section(1, list([[0x60, ...list(PARAMETERS.map(() => [I32])), ...list([])]]));
const FUNCTIONS = section(3, list([[0]]));
const memories = (pages: number) => section(5, list([[0, ...unsigned(pages)]]));
const EXPORTS = section(
  7,
  list([
    [...text('memory'), 2, 0],
    [...text('multiply'), 0, 0],
  ]),
);
const BODIES = section(10, list([sized([...LOCALS, ...multiply, 0x0b])]));

/** `pages` is the size of the memory in units of 64 KiB. */
export function openDotProductModule(pages: number): DotProductModule {
  const bytes = [HEADER, TYPES, FUNCTIONS, memories(pages), EXPORTS, BODIES].flat();
  const module = new WebAssembly.Module(Uint8Array.from(bytes));
  return new WebAssembly.Instance(module).exports as DotProductModule;
}
