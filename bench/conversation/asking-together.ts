// Callers of the built-in engines who all ask at the same time: the recogniser gets all their words at once, the rules
// answer, and the voice has to say all answers. The gap is from the end of a caller's words to the agent's first sound.
import { availableParallelism, loadavg } from 'node:os';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { BUILT_IN, type Caller, type Clip, runCallers, withService } from '../rig/conversation/scenario.ts';
import { type Report, type Row, rowOf } from '../rig/measure/statistics.ts';
import { Rest } from '../rig/service/rest.ts';
import type { Service } from '../rig/service/service.ts';

/** Sentences of the built-in recogniser's grammar. */
const QUESTIONS = [
  'What are your opening hours today?',
  'How much does it cost?',
  'Where are you located?',
  'Are you open on Sunday?',
];
const GOAL = 'p50 <= 900';

/** Lets callers go on when all of them are there. */
class Meeting {
  #expected: number;
  #there: Array<() => void> = [];

  constructor(expected: number) {
    this.#expected = expected;
  }

  async all(): Promise<void> {
    const met = new Promise<void>((resolve) => this.#there.push(resolve));
    this.#look();
    await met;
  }

  leave(): void {
    this.#expected--;
    this.#look();
  }

  #look(): void {
    if (this.#there.length >= this.#expected) for (const go of this.#there.splice(0)) go();
  }
}

interface Asked {
  gaps: number[];
  /** Of the first question alone: decoders and voices are prepared then. */
  firstGaps: number[];
  asked: number;
}

async function ask(
  caller: Caller,
  index: number,
  turns: number,
  clips: readonly Clip[],
  meeting: Meeting,
  found: Asked,
) {
  try {
    await caller.agentSound(0);
    for (let turn = 0; turn < turns; turn++) {
      await caller.agentQuiet(700);
      await meeting.all();
      const clip = clips[(index + turn) % clips.length];
      if (!clip) return;
      found.asked++;
      const lastSentAt = await caller.call.speak(clip.samples, clip);
      const gap = (await caller.agentSound(lastSentAt)) - lastSentAt;
      (turn === 0 ? found.firstGaps : found.gaps).push(gap);
    }
  } finally {
    meeting.leave();
  }
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z ]/g, '');

/** How many of the questions stand in the calls' transcripts as they were asked. */
async function understood(service: Service): Promise<number> {
  const rows = await (await new Rest(service).login()).must('GET', '/calls?limit=100');
  const wanted = new Set(QUESTIONS.map(plain));
  const said = rows.flatMap(({ transcript }) => transcript.filter(({ speaker }) => speaker === 'caller'));
  return said.filter(({ text }) => wanted.has(plain(text))).length;
}

export async function askTogether(calls: readonly number[], turns: number, voice: string): Promise<Report> {
  const clips = await Promise.all(QUESTIONS.map(async (text) => ({ samples: await renderSpeech(text, voice) })));
  const rows: Row[] = [];
  const samples: Record<string, number[]> = {};
  const notes: string[] = [];
  for (const count of calls) {
    await withService(BUILT_IN, async (service) => {
      const found: Asked = { gaps: [], firstGaps: [], asked: 0 };
      const meeting = new Meeting(count);
      const load = loadavg()[0]?.toFixed(1);
      const failures = await runCallers(service, count, (caller, index) =>
        ask(caller, index, turns, clips, meeting, found),
      );
      const of = `${count} caller${count === 1 ? '' : 's'} at the same time`;
      for (const [name, gaps] of [
        [`gap of the first question, ${of}`, found.firstGaps],
        [`gap of the others, ${of}`, found.gaps],
      ] as const) {
        samples[name] = gaps;
        rows.push(rowOf(name, gaps, GOAL));
      }
      const heard = await understood(service);
      notes.push(`${of}: ${heard} of ${found.asked} questions understood word by word; load before ${load}`);
      for (const failure of failures) notes.push(`a call failed: ${failure.message}`);
    });
  }
  notes.push(`${availableParallelism()} cores, one of them for the recogniser and the voice`);
  return { title: 'Built-in engines, asked together', rows, samples, notes };
}
