import { graph, query, stat, type Dashboard } from './dashboard.js';

const FILES = 'sum(increase(kiln_job_completion_seconds_count[$__range]))';
const perThousand = (amount: string) => `1000 * ${amount} / ${FILES}`;
const CPU_SECONDS = 'sum(increase(process_cpu_seconds_total[$__range]))';

export const cost: Dashboard = {
  name: 'cost',
  title: 'cost of a thousand files',
  inputs: [{ name: 'cpu_hour_price', label: 'Price of a CPU hour', value: '0.04' }],
  rows: [
    {
      title: 'In the chosen time',
      panels: [
        stat('Completed jobs', 'short', [query(FILES)]),
        stat('CPU seconds of a thousand files', 's', [query(perThousand(CPU_SECONDS))]),
        stat('Their price', 'short', [query(perThousand(`$cpu_hour_price * ${CPU_SECONDS} / 3600`))], {
          description:
            'CPU time of all processes of Kiln, also for searches, at the price above. Servers and providers are not in it.',
        }),
        stat('Bytes of a thousand files', 'bytes', [
          query(perThousand('sum(increase(kiln_upload_bytes_total[$__range]))')),
        ]),
      ],
    },
    {
      title: 'By engine and service, of a thousand files',
      panels: [
        graph('Seconds of work by engine', 's', [
          query(
            '1000 * sum by (engine) (rate(kiln_job_step_seconds_sum[1h])) / scalar(sum(rate(kiln_job_completion_seconds_count[1h])))',
            '{{engine}}',
          ),
        ]),
        graph('CPU seconds by service', 's', [
          query(
            '1000 * sum by (service, role) (rate(process_cpu_seconds_total[1h])) / scalar(sum(rate(kiln_job_completion_seconds_count[1h])))',
            '{{service}} {{role}}',
          ),
        ]),
      ],
    },
  ],
};
