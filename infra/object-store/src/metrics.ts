// A few counters in Prometheus text, without a library.

const HELP = {
  kiln_store_requests_total: 'S3 requests by operation and status.',
  kiln_store_received_bytes_total: 'Object bytes stored.',
  kiln_store_sent_bytes_total: 'Object bytes sent.',
  kiln_store_notifications_total: 'Arrival notifications by outcome: sent, retried, dropped.',
  kiln_store_swept_total: 'Stale temporary files and multipart uploads removed.',
  kiln_store_requests_running: 'Requests being served.',
} as const;

export type MetricName = keyof typeof HELP;

export class Metrics {
  readonly #values = new Map<MetricName, Map<string, number>>();

  add(name: MetricName, amount: number, labels: Readonly<Record<string, string>> = {}): void {
    const series = this.#values.get(name) ?? new Map<string, number>();
    const key = Object.entries(labels)
      .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
      .join(',');
    series.set(key, (series.get(key) ?? 0) + amount);
    this.#values.set(name, series);
  }

  text(): string {
    let out = '';
    for (const [name, help] of Object.entries(HELP)) {
      out += `# HELP ${name} ${help}\n# TYPE ${name} ${name.endsWith('_total') ? 'counter' : 'gauge'}\n`;
      const series = this.#values.get(name as MetricName) ?? new Map([['', 0]]);
      for (const [labels, value] of series) out += `${name}${labels === '' ? '' : `{${labels}}`} ${value}\n`;
    }
    return out;
  }
}
