// Signs URLs: with the account's key, or, when only a token is available, with a user delegation key that the store issues for some days.
import {
  generateBlobSASQueryParameters,
  type BlobSASSignatureValues,
  type BlobServiceClient,
  type SASQueryParameters,
  type StorageSharedKeyCredential,
  type UserDelegationKey,
} from '@azure/storage-blob';
import { REQUEST_TIMEOUT_DEFAULT_MS, withDeadline } from '../deadline.js';
import { toStorageError } from './azure-errors.js';

export type SignedValues = BlobSASSignatureValues & { expiresOn: Date };

export interface Signatures {
  /** Throws StorageError. */
  sign(values: SignedValues): Promise<SASQueryParameters>;
}

export class KeySignatures implements Signatures {
  constructor(private readonly credential: StorageSharedKeyCredential) {}

  async sign(values: SignedValues): Promise<SASQueryParameters> {
    return generateBlobSASQueryParameters(values, this.credential);
  }
}

/** The longest lifetime of a user delegation key. */
const LIFE_MAX_MS = 7 * 24 * 3_600_000;
/** How long a key signs further URLs of the same lifetime. */
const SHARED_FOR_MS = 3_600_000;
/** The signed text depends on this version. Some installations of the store do not support the newest version of the SDK. */
const SIGNED_VERSION = '2025-07-05';
/** Allows for different clocks. */
const SKEW_MS = 300_000;

/** https://learn.microsoft.com/rest/api/storageservices/create-user-delegation-sas */
export class DelegatedSignatures implements Signatures {
  private key: Promise<UserDelegationKey> | null = null;
  private keyEndsAt = 0;

  constructor(
    private readonly service: BlobServiceClient,
    private readonly accountName: string,
  ) {}

  async sign(values: SignedValues): Promise<SASQueryParameters> {
    const key = await this.keyUntil(values.expiresOn.getTime());
    return generateBlobSASQueryParameters({ ...values, version: SIGNED_VERSION }, key, this.accountName);
  }

  private keyUntil(neededUntil: number): Promise<UserDelegationKey> {
    if (this.key && this.keyEndsAt >= neededUntil) return this.key;
    const now = Date.now();
    this.keyEndsAt = Math.min(neededUntil + SHARED_FOR_MS, now + LIFE_MAX_MS);
    const key = this.ask(new Date(now - SKEW_MS), new Date(this.keyEndsAt));
    key.catch(() => {
      if (this.key === key) this.key = null;
    });
    return (this.key = key);
  }

  private ask(from: Date, until: Date): Promise<UserDelegationKey> {
    const deadline = { timeoutMs: REQUEST_TIMEOUT_DEFAULT_MS, action: 'signing a URL', toError: toStorageError };
    return withDeadline(deadline, (abortSignal) => this.service.getUserDelegationKey(from, until, { abortSignal }));
  }
}
