// The events about the nodes of a connection. Each event has a bounded number of nodes.
import {
  connectionsEvents,
  encodeId,
  FILE_NODES_PER_CALL_MAX,
  MOVED_NODES_MAX,
  REMOVED_NODES_MAX,
} from '@kiln/contracts';
import { newEvent, type NewEvent } from '@kiln/platform';

export interface MovedNode {
  id: string;
  path: string;
  name: string;
}

interface Place {
  tenantId: string;
  connectionId: string;
}

export const selectedNodesEvents = (place: Place, nodeIds: readonly string[]): NewEvent[] =>
  inBatches(nodeIds, FILE_NODES_PER_CALL_MAX, (ids) => {
    const about = { definition: connectionsEvents.nodesSelected, ...subjectOf(place) };
    return newEvent({ ...about, data: { connection_id: about.subject, node_ids: publicIds(ids) } });
  });

export const removedNodesEvents = (place: Place, nodeIds: readonly string[]): NewEvent[] =>
  inBatches(nodeIds, REMOVED_NODES_MAX, (ids) => {
    const about = { definition: connectionsEvents.nodesRemoved, ...subjectOf(place) };
    return newEvent({ ...about, data: { connection_id: about.subject, node_ids: publicIds(ids) } });
  });

export const movedNodesEvents = (place: Place, moved: readonly MovedNode[], movedAt: Date): NewEvent[] =>
  inBatches(moved, MOVED_NODES_MAX, (batch) => {
    const about = { definition: connectionsEvents.nodesMoved, ...subjectOf(place) };
    const nodes = batch.map(({ id, path, name }) => ({ node_id: encodeId('node', id), path, name }));
    return newEvent({ ...about, data: { connection_id: about.subject, moved_at: movedAt.toISOString(), nodes } });
  });

const subjectOf = ({ tenantId, connectionId }: Place) => ({ tenantId, subject: encodeId('connection', connectionId) });

const publicIds = (ids: readonly string[]) => ids.map((id) => encodeId('node', id));

function inBatches<Node>(
  nodes: readonly Node[],
  nodesMax: number,
  eventOf: (batch: readonly Node[]) => NewEvent,
): NewEvent[] {
  const events: NewEvent[] = [];
  for (let at = 0; at < nodes.length; at += nodesMax) events.push(eventOf(nodes.slice(at, at + nodesMax)));
  return events;
}
