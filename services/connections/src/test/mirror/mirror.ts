// Replays a history with a real bucket and the engine of syncs, and compares nodes and events with the bucket after each sync.
import { expect } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, type NewConnection } from '../connections-harness.js';
import { newLimits, type SyncsHarness } from '../syncs-harness.js';
import type { SyncRow } from '../../syncs/sync.rows.js';
import type { History, PlannedSync } from './histories.js';
import { eventsOf, FileLedger } from './file-ledger.js';
import { InterruptedClaim, interruptClaims, within } from './interruption.js';
import { MirroredBucket } from './mirrored-bucket.js';
import { assertMirrors, readNodes, type Nodes } from './mirrored-nodes.js';

export interface ConnectedStore {
  objects: ConstructorParameters<typeof MirroredBucket>[0];
  connection: NewConnection & { credentials: Record<string, unknown> };
}

const QUIET: PlannedSync = {
  before: [],
  during: [],
  interruptions: [],
  pageSize: 1_000,
  pagesPerClaim: 100,
  requests: 1,
};
const CLAIMS_MAX = 1_000;
/** The next failure of the bucket ends the sync. */
const RETRIES = 19;
const endings = ['connection.synced', 'connection.sync.failed'];

export class Mirror {
  private history: HistoryRun | undefined;

  constructor(private readonly kiln: SyncsHarness) {
    interruptClaims(kiln.database, kiln.access, async () => this.history?.atPage());
  }

  async replay({ keys, syncs, ...policies }: History, { objects, connection }: ConnectedStore): Promise<void> {
    const { kiln } = this;
    const tenantId = uuidv7();
    const { prefix, onDelete: on_delete, onChange: on_change, autoProcess: auto_process } = policies;
    const connectionId = await kiln.connect(tenantId, { ...connection, prefix, on_delete, on_change, auto_process });
    const bucket = new MirroredBucket(objects);
    await bucket.apply(keys.map((key) => ({ kind: 'put', key, text: 'zero' })));
    const run = new HistoryRun(
      kiln,
      { ...policies, tenantId, connectionId, credentials: connection.credentials },
      bucket,
    );
    this.history = run;
    try {
      for (const sync of syncs) await run.sync(sync);
      const before = await run.nodes();
      await run.wakeDead();
      expect(await run.nodes()).toStrictEqual(before);
      await run.sync(QUIET);
    } finally {
      await run.wakeDead();
      this.history = undefined;
      Object.assign(kiln.limits, newLimits());
      kiln.access.pageSize = 1_000;
    }
  }
}

interface Connected extends Omit<History, 'keys' | 'syncs'> {
  tenantId: string;
  connectionId: string;
  credentials: Record<string, unknown>;
}

class HistoryRun {
  private planned: PlannedSync = QUIET;
  private pages = 0;
  private happening = Promise.resolve();
  private dead: { claim: InterruptedClaim; outcome: Promise<unknown> }[] = [];
  private before: Nodes = new Map();
  private readonly ledger: FileLedger;

  constructor(
    private readonly kiln: SyncsHarness,
    private readonly connected: Connected,
    private readonly bucket: MirroredBucket,
  ) {
    this.ledger = new FileLedger(connected);
  }

  nodes(): Promise<Nodes> {
    return readNodes(this.kiln, this.connected.connectionId);
  }

  /** Applies the changes planned for the page, in the order of pages. */
  atPage(): Promise<void> {
    const page = this.pages++;
    const happens = async () => {
      for (const { changes, reconnects } of this.planned.during.filter((each) => each.page === page)) {
        await this.bucket.apply(changes);
        if (reconnects) await this.reconnect();
      }
    };
    return (this.happening = this.happening.then(happens));
  }

  private async reconnect(): Promise<void> {
    const { kiln } = this;
    const { tenantId, connectionId, credentials } = this.connected;
    const input = { id: encodeId('connection', connectionId), org_id: kiln.organizationId, credentials };
    await kiln.check.update(input, contextOf(tenantId));
  }

  async sync(planned: PlannedSync): Promise<void> {
    const { kiln, bucket, connected } = this;
    Object.assign(this, { planned, pages: 0 });
    await bucket.apply(planned.before);
    bucket.beginSync();
    await kiln.sql('delete from outbox');
    kiln.access.pageSize = planned.pageSize;
    const { pagesPerClaim, requests } = planned;
    Object.assign(kiln.limits, { pagesPerClaim, requests });
    const ended = await this.complete([...planned.interruptions]);
    const nodes = await this.nodes();
    assertMirrors(nodes, bucket.versions(connected.prefix), connected.prefix);
    const events = await eventsOf(kiln);
    expect(events.map(({ type }) => type).filter((type) => endings.includes(type))).toStrictEqual(
      ended.map(({ status }) => endings[status === 'completed' ? 0 : 1]),
    );
    this.ledger.accept(events, { nodes, hasChanged: bucket.hasChanged });
    const [row] = ended;
    if (row && ended.length === 1 && !bucket.hasChanged) {
      const { files_added: added, files_updated: updated, files_deleted: deleted, files_moved: moved } = row;
      expect([added + moved, updated, deleted + moved]).toStrictEqual(this.counts(nodes));
    }
    this.before = nodes;
  }

  /** Syncs until a sync completes. One that fails must have a reason, and is followed by another. */
  private async complete(interruptions: PlannedSync['interruptions']): Promise<SyncRow[]> {
    const ended: SyncRow[] = [];
    for (let force = false; ended.at(-1)?.status !== 'completed';) {
      const row = await this.runClaims(force, interruptions);
      if (row.status !== 'completed') expect(['too_many_deletions', 'unreachable']).toContain(row.error_code);
      force ||= row.error_code === 'too_many_deletions';
      ended.push(row);
    }
    return ended;
  }

  /** Runs the claims of a sync until it has ended. */
  private async runClaims(force: boolean, interruptions: PlannedSync['interruptions']): Promise<SyncRow> {
    const { kiln } = this;
    const { tenantId, connectionId } = this.connected;
    const { id } = await kiln.begin(tenantId, connectionId, force);
    let stalled: HistoryRun['dead'] = [];
    for (let claims = 0; claims < CLAIMS_MAX; claims++) {
      const claim = new InterruptedClaim(interruptions.shift());
      if (claim.kind === 'outage') await kiln.sql(`update syncs set bucket_failures = ${RETRIES} where id = $1`, [id]);
      const claimed = await kiln.claimOne();
      const outcome = within(claim, () => kiln.runSync.execute(claimed, claim.controller.signal)).catch(
        (error: unknown) => {
          if (!claim.hasHappened) throw error;
        },
      );
      stalled.forEach((each) => each.claim.goOn());
      await Promise.all([...stalled.map((each) => each.outcome), Promise.race([outcome, claim.waits])]);
      stalled = [];
      if (claim.isWaiting) (claim.kind === 'dies' ? this.dead : stalled).push({ claim, outcome });
      const row = await kiln.syncs.find(tenantId, id);
      if (row?.status === 'completed' || row?.status === 'failed') return row;
      await kiln.leasesEnd();
    }
    throw new Error(`the sync has not ended after ${CLAIMS_MAX} claims`);
  }

  /** Continues the claims whose workers were taken for dead. They must change nothing. */
  async wakeDead(): Promise<void> {
    this.dead.forEach(({ claim }) => claim.goOn());
    await Promise.all(this.dead.map(({ outcome }) => outcome));
    this.dead = [];
  }

  /** The paths of files that were added, updated and deleted since the previous sync. */
  private counts(nodes: Nodes): number[] {
    const filesOf = (all: Nodes) => [...all.values()].filter((node) => node.is_file);
    const isKept = ({ path }: { path: string }) => this.before.has(path) && nodes.has(path);
    const changed = filesOf(nodes).filter((node) => isKept(node) && node.etag !== this.before.get(node.path)?.etag);
    const [added, deleted] = [nodes, this.before].map((all) => filesOf(all).filter((node) => !isKept(node)).length);
    return [added ?? 0, changed.length, deleted ?? 0];
  }
}
