/** How fast an upload is, over the last seconds. */

/** (seconds, bytes sent by then). */
export type Sample = readonly [number, number];

const WINDOW_S = 8;

/** The samples with a new one, without those that are too old to say how fast it is now. */
export function sampled(samples: readonly Sample[], [at, sent]: Sample): Sample[] {
  const last = samples.at(-1);
  // A part that is sent again takes bytes back: what was before says nothing then.
  if (last && sent < last[1]) return [[at, sent]];
  return [...samples.filter(([time]) => at - time <= WINDOW_S), [at, sent]];
}

/** Bytes a second; null before two samples are half a second apart. */
export function speed(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last[0] - first[0] < 0.5) return null;
  return (last[1] - first[1]) / (last[0] - first[0]);
}

/** Seconds left; null when nothing moves. */
export function left(samples: readonly Sample[], total: number): number | null {
  const pace = speed(samples);
  return pace ? (total - samples.at(-1)![1]) / pace : null;
}
