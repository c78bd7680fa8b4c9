/** A cluster of three NATS servers loses the server through which webhooks get their events, then its disk, then the majority. */
import { nothing, type Act, type Drill } from '../drill.js';
import { Place } from '../place.js';
import { NatsCluster } from '../servers/nats-cluster.js';

const CONSUMER = 'webhooks-file-processing-completed';

export const natsCluster: Drill = {
  name: 'nats-cluster',
  lacks: nothing,
  prepare: async () => {
    const place = await Place.make();
    const cluster = await NatsCluster.start(place);
    const system = await place.startSystem({ NATS_URL: cluster.url, KILN_BUS_REPLICAS: '3' });
    return { system, acts: actsOn(cluster), stop: place.stop };
  },
};

const actsOn = (cluster: NatsCluster): Act[] => [
  {
    fault: 'one of three NATS servers is killed, which leads the consumer of webhooks',
    play: async (hold) => {
      const name = await cluster.leaderOf(CONSUMER);
      await cluster.kill(name);
      await hold();
      await cluster.restart(name);
    },
  },
  {
    fault: 'one of three NATS servers is killed, and starts again with an empty disk',
    play: async (hold) => {
      const name = await cluster.leaderOf(CONSUMER);
      await cluster.kill(name);
      await hold();
      cluster.loseDisk(name);
      await cluster.restart(name);
    },
  },
  {
    fault: 'two of three NATS servers are killed',
    play: async (hold) => {
      const [first, second] = cluster.names.filter((name) => name !== 'one');
      const lost = [first, second].filter((name) => name !== undefined);
      await Promise.all(lost.map((name) => cluster.kill(name)));
      await hold();
      await Promise.all(lost.map((name) => cluster.restart(name)));
    },
  },
];
