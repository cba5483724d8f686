// A ramp: calls are added until more than 0.5 % of them fail or an answer takes 25 % longer than that of a single call.

const MORE_LATENCY = 1.25;
const FAILED_SHARE = 0.005;

/** The figures of a step that decide. */
export interface Carried {
  calls: number;
  failed: number;
  /** Of an answer. */
  p50Ms: number;
}

export function isOver({ calls, failed, p50Ms }: Carried, first: Carried): boolean {
  return failed > calls * FAILED_SHARE || p50Ms > first.p50Ms * MORE_LATENCY;
}

/** The steps up to the first that is over; `good` is the last that is not. */
export interface Ramp<Step> {
  steps: Step[];
  good: Step | undefined;
  over: Step | undefined;
}

export async function climb<Step>(
  ladder: readonly number[],
  carriedBy: (step: Step) => Carried,
  measure: (calls: number, before: Step | undefined) => Promise<Step>,
): Promise<Ramp<Step>> {
  const steps: Step[] = [];
  for (const calls of ladder) {
    const good = steps.at(-1);
    const step = await measure(calls, good);
    steps.push(step);
    if (isOver(carriedBy(step), carriedBy(steps[0] ?? step))) return { steps, good, over: step };
  }
  return { steps, good: steps.at(-1), over: undefined };
}
