interface Day {
  date: string;
  processed: number;
}

const HEIGHT = 24;
const STEP = 7;

/** One bar for each day. The numbers are in the label, for readers without the picture. */
export function DayBars({ days }: { days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(({ processed }) => processed));
  const label = `Processed files of ${days.length} days: ${days.map(({ processed }) => processed).join(', ')}`;
  return (
    <svg className="day-bars" role="img" aria-label={label} width={days.length * STEP} height={HEIGHT}>
      {days.map(({ date, processed }, index) => {
        const height = Math.max(2, (processed / most) * HEIGHT);
        return (
          <rect
            key={date}
            x={index * STEP}
            y={HEIGHT - height}
            width={STEP - 2}
            height={height}
            rx={1}
            data-empty={processed === 0}
          />
        );
      })}
    </svg>
  );
}
