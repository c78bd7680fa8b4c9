// Bounds the memory that the searches of this process use for postings. A search reserves what it reads at a time before it reads, and
// waits while that is not free. Tenants share the memory (`FairPlaces`): one tenant alone gets half, and the waiting ones are served round robin.
//
// A search must reserve before it takes a connection to the database, and never while it has one. Otherwise searches with memory and
// searches with connections could wait for each other.
import { unavailable } from '@kiln/contracts';
import { currentCall, FairPlaces } from '@kiln/platform';
import { POSTINGS_PER_BLOCK_MAX } from '../merging/append-postings.domain.js';
import { STRIDE } from '../postings/domain/postings.js';

/** The driver has the bytes of a row and the text made of them at the same time. */
const COPIES = 2;
/** The most bytes of the postings of one block, unless its numbers are unusually far apart. */
export const BLOCK_BYTES = 3_072;
/** A range can exceed its bytes by two blocks of each term. */
const EXCESS_BLOCKS = 2;
/** Each term has one decoded block. */
const DECODED_BYTES = POSTINGS_PER_BLOCK_MAX * STRIDE * Float64Array.BYTES_PER_ELEMENT;

/** The memory for a range of `bytes` of postings. */
export const memoryOf = (bytes: number, terms: number): number =>
  COPIES * (bytes + terms * EXCESS_BLOCKS * BLOCK_BYTES) + terms * DECODED_BYTES;

export class PostingsMemory {
  private readonly places: FairPlaces;

  constructor(private readonly bytesMax: number) {
    this.places = new FairPlaces(bytesMax);
  }

  /** Runs `work` with reserved memory. Throws UNAVAILABLE if the call is over before there is enough. */
  async reserve<Result>(
    tenantId: string,
    bytes: number,
    work: (memory: ReservedMemory) => Promise<Result>,
  ): Promise<Result> {
    const reserved = Math.min(bytes, this.bytesMax);
    await this.places.enter(tenantId, reserved, (giveUp) => {
      const isOver = () => giveUp(unavailable('The index', new Error('no memory was free before the deadline')));
      return currentCall()?.onOver(isOver) ?? (() => {});
    });
    const memory = new ReservedMemory(this.places, tenantId, reserved);
    try {
      return await work(memory);
    } finally {
      memory.shrinkTo(0);
    }
  }
}

export class ReservedMemory {
  constructor(
    private readonly places: FairPlaces,
    private readonly tenantId: string,
    private bytes: number,
  ) {}

  /** Frees what exceeds `bytes`. */
  shrinkTo(bytes: number): void {
    const freed = this.bytes - bytes;
    if (freed <= 0) return;
    this.bytes = bytes;
    this.places.release(this.tenantId, freed);
  }
}
