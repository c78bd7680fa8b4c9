// Resource use of the process, under the names of Prometheus' client libraries. Values are read on scrape, so that nothing here
// wakes an idle process.
import type { Meter } from '@opentelemetry/api';
import { performance } from 'node:perf_hooks';
import { setImmediate as immediate } from 'node:timers/promises';
import { unitOf } from './metric-units.js';

export function observeProcess(meter: Meter): void {
  const startedAt = (Date.now() - performance.now()) / 1_000;
  meter
    .createObservableCounter('process_cpu_seconds_total', { description: 'CPU time used, user and system', unit: 's' })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe((user + system) / 1e6);
    });
  gauge(meter, 'process_start_time_seconds', 'When the process started, in seconds since the epoch', () => startedAt);
  gauge(meter, 'process_resident_memory_bytes', 'Resident memory in bytes', () => process.memoryUsage.rss());
  gauge(meter, 'nodejs_heap_size_total_bytes', 'Heap that V8 has reserved', () => process.memoryUsage().heapTotal);
  gauge(meter, 'nodejs_heap_size_used_bytes', 'Heap in use', () => process.memoryUsage().heapUsed);
  gauge(meter, 'nodejs_external_memory_bytes', 'Memory outside the heap', () => process.memoryUsage().external);
  observeEventLoop(meter);
}

function observeEventLoop(meter: Meter): void {
  let last = performance.eventLoopUtilization();
  gauge(
    meter,
    'nodejs_eventloop_utilization',
    'Share of the time since the last scrape that the event loop was busy',
    () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
  );
  meter
    .createObservableGauge('nodejs_eventloop_lag_seconds', {
      description: 'Delay of the scrape in the event loop',
      unit: 's',
    })
    .addCallback(async (result) => {
      const askedAt = performance.now();
      await immediate();
      result.observe((performance.now() - askedAt) / 1_000);
    });
}

function gauge(meter: Meter, name: string, description: string, read: () => number): void {
  meter
    .createObservableGauge(name, { description, unit: unitOf(name) })
    .addCallback((result) => result.observe(read()));
}
