// Shared by the parts of the contract: a peer (the server under test), a store on it, and test functions.
import type { ObjectStore } from '../../index.js';

export interface StoreChange {
  bucket?: string;
  /** Credentials that the peer does not know. */
  wrongKey?: boolean;
  endpoint?: string;
  publicEndpoint?: string;
  requestTimeoutMs?: number;
}

export interface ContractPeer {
  /** A store of the peer, on its one bucket but for what is changed. */
  open(change?: StoreChange): ObjectStore;
  close(): Promise<void>;
}

export interface ContractOptions {
  start: () => Promise<ContractPeer>;
  /** Why the peer cannot run here. */
  skip?: string | false;
  /** The limits that a signed PUT sets for the uploader. */
  binds: { contentType: boolean; sizeBytes: boolean; version: boolean; part: boolean; partBytes: boolean };
  /** Keys deleted in one call. Default 1,100, more than any provider takes in one request. */
  manyKeys?: number;
  /** The store keeps both of two parts with one number, and dates them in seconds. So the newer one is not known within a second. */
  datesPartsInSeconds?: boolean;
}

export interface Contract {
  readonly binds: ContractOptions['binds'];
  readonly manyKeys: number;
  readonly datesPartsInSeconds: boolean;
  readonly peer: ContractPeer;
  readonly store: ObjectStore;
  it(promise: string, run: () => Promise<void>): void;
  textOf(key: string, range?: { start: number; end?: number }): Promise<string>;
  keysOf(prefix: string): Promise<string[]>;
}

export const MEBIBYTE = 1024 * 1024;
export const type = { contentType: 'x/y' };

export async function* repeated(piece: Buffer, count: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < count; at += 1) yield piece;
}

/** Breaks off after several parts are on their way. */
export async function* broken(): AsyncGenerator<Buffer> {
  yield* repeated(Buffer.alloc(MEBIBYTE), 20);
  throw new Error('the source broke');
}
