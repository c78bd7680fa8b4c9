import { useEffect, useState } from 'react';
import { formatAge, parseTime } from './formats.js';

const TICK_MS = 10_000;

/** The time as an age, with local time and UTC on hover. */
export function Time({ value }: { value: string }) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const time = parseTime(value);
  const utc = time.toISOString().slice(0, 19).replace('T', ' ');
  return (
    <time dateTime={time.toISOString()} title={`${time.toLocaleString()} · ${utc} UTC`}>
      {formatAge(time, now)}
    </time>
  );
}
