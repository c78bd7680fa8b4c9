// Sign-in codes in the gateway's schema. The database's clock decides when a code expires.
import { encodeId, uuidOf } from '@kiln/contracts';
import { statement, type Database } from '@kiln/platform';

const insertCode = statement(
  'gateway.insert_sign_in_code',
  `insert into sign_in_codes (hash, organization_id, expires_at) values ($1, $2, now() + make_interval(secs => $3))
   returning hash`,
);

/** Of two requests with one code, one deletes the row. */
const takeCode = statement(
  'gateway.take_sign_in_code',
  `delete from sign_in_codes where hash = $1 returning organization_id, expires_at > now() as is_valid`,
);

const deleteExpired = statement(
  'gateway.delete_expired_sign_in_codes',
  `delete from sign_in_codes where expires_at <= now() returning hash`,
);

/** Ids of organizations are TypeIDs that have been checked. */
export class SignInCodeStore {
  constructor(private readonly database: Pick<Database, 'query'>) {}

  async add(organizationId: string, hash: Buffer, lifetimeSeconds: number): Promise<void> {
    await this.database.query(insertCode, [hash, uuidOf('organization', organizationId), lifetimeSeconds]);
  }

  /** Returns the organization of the code, which is then used up. Null for a code that is unknown, used or expired. */
  async take(hash: Buffer): Promise<string | null> {
    const [row] = await this.database.query<{ organization_id: string; is_valid: boolean }>(takeCode, [hash]);
    return row?.is_valid ? encodeId('organization', row.organization_id) : null;
  }

  async deleteExpired(): Promise<void> {
    await this.database.query(deleteExpired, []);
  }
}
