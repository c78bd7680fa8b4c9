// What a write can run into while the space of its files is being deleted.
import { isForeignKeyViolation, isLostToAnother } from '@kiln/platform';

/** What refuses counts whose space is gone. */
const SPACE_OF_COUNTS = 'space_counts_tenant_id_space_fkey';
/** A space that is deleted again and again could refuse more than one. */
const ATTEMPTS_MAX = 4;

const isLost = (error: unknown) => isForeignKeyViolation(error, SPACE_OF_COUNTS) || isLostToAnother(error);

/** Runs `write`, and again when it came to nothing because a space was being deleted: the next try finds how that ended. */
export async function againAfterSpaceDeletion<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isLost(error)) throw error;
    }
  }
}
