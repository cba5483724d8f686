// The figures of a benchmark with their error bars, and the page on how they were made and what they cannot show.
import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import { machine, table } from '../rig/measure/statistics.ts';
import type { BenchmarkCall } from './benchmark-call.ts';

const RESAMPLES = 2_000;

interface Figure {
  value: number;
  /** 95 % of what resampled calls would have given. */
  low: number;
  high: number;
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/**
 * A percentile with its bootstrap interval. Whole calls are drawn again, not turns: turns of one call are alike.
 * Null without a value.
 */
export function bootstrap(calls: ReadonlyArray<readonly number[]>, share: number, seed = 1): Figure | null {
  const all = ascending(calls.flat());
  if (all.length === 0) return null;
  const random = seededRandom(seed);
  const drawn: number[] = [];
  for (let n = 0; n < RESAMPLES; n++) {
    const again = calls.flatMap(() => calls[Math.floor(random() * calls.length)] ?? []);
    if (again.length > 0) drawn.push(quantile(ascending(again), share));
  }
  const sorted = ascending(drawn);
  return { value: quantile(all, share), low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) };
}

export interface Step {
  name: string;
  calls: readonly BenchmarkCall[];
}

const known = (values: ReadonlyArray<number | null>): number[] => values.filter((value) => value !== null);
const shown = (figure: Figure | null): string =>
  figure === null ? '–' : `${Math.round(figure.value)} (${Math.round(figure.low)}-${Math.round(figure.high)})`;
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

export function figuresOf({ name, calls }: Step) {
  const gaps = calls.map(({ gapsMs }) => known(gapsMs));
  const stops = calls.map(({ stopMs }) => known([stopMs]));
  const interrupted = calls.filter(({ wasInterrupted }) => wasInterrupted);
  const survivals = calls.flatMap(({ survival }) => survival ?? []);
  return {
    name,
    calls: calls.length,
    answered: calls.filter(({ status }) => status === 200).length,
    refused: calls.filter(({ status }) => status >= 300).length,
    brokenOff: calls.filter(({ failure }) => failure !== null).length,
    turns: sum(calls.map(({ gapsMs }) => gapsMs.length)),
    unanswered: sum(calls.map(({ gapsMs }) => gapsMs.filter((gap) => gap === null).length)),
    gapMs: { p50: bootstrap(gaps, 0.5), p95: bootstrap(gaps, 0.95) },
    greetingMs: {
      p50: bootstrap(
        calls.map(({ greetingMs }) => known([greetingMs])),
        0.5,
      ),
    },
    stopMs: { p50: bootstrap(stops, 0.5), p95: bootstrap(stops, 0.95) },
    interruptions: interrupted.length,
    spokeOn: interrupted.filter(({ stopMs }) => stopMs === null).length,
    cutOffs: sum(calls.map(({ cutOffs }) => cutOffs)),
    packets: {
      received: sum(calls.map(({ packets }) => packets.received)),
      lost: sum(calls.map(({ packets }) => packets.lost)),
      late: sum(calls.map(({ packets }) => packets.late)),
    },
    survived: survivals.filter(({ isAnswered }) => isAnswered).length,
    disturbed: survivals.length,
    longestHoleMs: Math.round(Math.max(0, ...survivals.map(({ longestHoleMs }) => longestHoleMs))),
  };
}

export function reportLines(steps: readonly Step[]): string[] {
  const all = steps.map(figuresOf);
  const rows: Array<[string, (of: (typeof all)[number]) => string | number]> = [
    ['calls: answered / refused / broken off', (of) => `${of.calls}: ${of.answered} / ${of.refused} / ${of.brokenOff}`],
    ['gap p50, ms', (of) => shown(of.gapMs.p50)],
    ['gap p95, ms', (of) => shown(of.gapMs.p95)],
    ['turns unanswered', (of) => `${of.unanswered} of ${of.turns}`],
    ['silent after an interruption, p50, ms', (of) => shown(of.stopMs.p50)],
    ['silent after an interruption, p95, ms', (of) => shown(of.stopMs.p95)],
    ['interruptions over which it spoke on', (of) => `${of.spokeOn} of ${of.interruptions}`],
    ['questions that it spoke into', (of) => `${of.cutOffs} of ${of.turns}`],
    ['first sound after the answer, p50, ms', (of) => shown(of.greetingMs.p50)],
    [
      'packets of the agent: lost, more than 60 ms apart',
      (of) => `${of.packets.lost}, ${of.packets.late} of ${of.packets.received}`,
    ],
    [
      'after the disturbance: answered again; longest hole, ms',
      (of) => (of.disturbed === 0 ? '–' : `${of.survived} of ${of.disturbed}; ${of.longestHoleMs}`),
    ],
  ];
  return table(
    ['figure', ...all.map(({ name }) => name)],
    rows.map(([figure, cell]) => [figure, ...all.map(cell)]),
  );
}

export function methodPage(of: { address: string; command: string; voices: readonly string[]; beganAt: Date }): string {
  const { cores, model, load1, node } = machine();
  return `# How this was measured

\`${of.command}\`

${of.beganAt.toISOString()}, from a machine with ${cores} cores (${model}), load ${load1} at the end, Node ${node}, to \`${of.address}\`. Voices of the
callers: ${of.voices.join(', ')}. Everything is counted on this machine, at the caller's end of the line.

- **gap**: from the moment at which the last packet of a question was sent to the arrival of the first packet with sound (RMS above 60
  of 32,768). The question is cut so that its last packet has sound. The way of the packets, twice, and the agent's jitter are in it.
- **silent after an interruption**: a caller who speaks 1.2 s into an answer; from their first packet to the last one with sound
  before 400 ms of silence. Where the agent had just ended by itself, it counts as silent: read the captures.
- **questions that it spoke into**: the agent had been silent for a second and spoke before the question was over.
- **(low-high)**: 95 % of 2,000 bootstrap samples of whole calls.
- \`call-*/\`: \`call.wav\` (left: the caller, right: the agent), \`rtp.pcap\` (opens in Wireshark), \`call.json\`.

## It cannot show

- **words**: which of the caller's words the agent understood, and whether the answer was right. Listen to \`call.wav\`, or let a recogniser
  read it. A turn without any answer is counted.
- whose time it is: network, carrier, recogniser, model and voice are one number. A trunk or the internet between the two adds
  its own; beside the service itself the caller takes part of its processor.
- filler words: an agent that says "hm" at once has a short gap here.
- what the operator's own settings do: of a model, an endpointing delay, a region. Write them beside the table.
- calls that the service places, and so machine detection: \`npm run caller -- callee\` is the other end of these.
- a comparison of two rows whose questions, prompts, models or machines differ.
`;
}
