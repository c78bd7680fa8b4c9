// Signs URLs for the object store. The keys that sign may be temporary, and may have to be requested first.
import { unavailable } from '@kiln/contracts';
import { secondsSigned, StorageError, type ObjectStore } from '@kiln/storage';

/**
 * Calls `sign` with the seconds for which the URL will be valid: `seconds`, or fewer if the keys expire earlier. Returns them with what it signed.
 * Throws UNAVAILABLE when there are no keys at the moment.
 */
export async function signedFor<Signed>(
  objects: Pick<ObjectStore, 'keysExpireAt'>,
  seconds: number,
  sign: (expiresSeconds: number) => Promise<Signed>,
): Promise<{ signed: Signed; expiresSeconds: number }> {
  try {
    const expiresSeconds = await secondsSigned(objects, seconds);
    return { signed: await sign(expiresSeconds), expiresSeconds };
  } catch (error) {
    throw error instanceof StorageError ? unavailable('The object store', error) : error;
  }
}
